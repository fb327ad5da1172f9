//! Policies of events, `formats/policies/*.toml`: clocks, remedies and penalties.

use super::{Charge, Clocks, DAY, DelayScope, Flag, MoveLimit, NatureClock, Unused};
use crate::record::time_control::TimeControl;
use ferz_core::rules::load::{V_SYNTAX, V_VALUE, digest, span_of};
use ferz_core::text::limits::DEFINITION_BYTES_MAX;
use ferz_core::text::{Diagnostic, Severity, Span};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::sync::{Arc, LazyLock};

macro_rules! embedded {
    ($($name:literal)*) => { [$(include_str!(concat!("../formats/policies/", $name, ".toml"))),*] };
}

/// The built-in policies.
const BUILT_IN: [&str; 8] = embedded! {
    "untimed" "plain" "fide-standard" "fide-rapid" "fide-blitz" "iccf-days" "days-per-move" "iago"
};

/// The identity of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyId {
    /// The name.
    pub name: String,
    /// The edition.
    pub edition: String,
    /// BLAKE3 of its fields, as for rules.
    pub digest: String,
}

/// How an event gives time, and what follows from illegal plies and false claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The identity.
    pub id: Arc<PolicyId>,
    /// What it is, for people.
    pub title: String,
    /// The clocks; `None` where the policy says nothing of them.
    pub clocks: Option<Clocks>,
    /// What follows from an illegal ply.
    pub illegal: IllegalPly,
    /// The change of clocks after a false claim of a draw.
    pub false_claim: Option<Sanction>,
    /// What follows from a wrong start.
    pub setup: WrongSetup,
    /// How long a player may appeal against a ruling, in milliseconds; 0 if rulings are final.
    pub appeal: u64,
    /// Its file.
    pub text: Arc<str>,
}

/// What follows from a wrong start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WrongSetup {
    /// The number of moves of each player after which it stands.
    pub stands_after: Option<u32>,
    /// The article.
    pub rule: String,
}

/// What follows from an illegal ply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalPly {
    /// The remedy.
    pub remedy: IllegalRemedy,
    /// The change of clocks, where the remedy is time.
    pub sanction: Option<Sanction>,
    /// The number of a player's illegal plies that loses the game.
    pub loses_at: Option<u32>,
    /// What follows once the opponent has made a ply.
    pub answered: Answered,
    /// The article that says so.
    pub answered_rule: String,
    /// What becomes of a pawn that was not promoted on its last rank.
    pub unpromoted: Unpromoted,
    /// The article.
    pub rule: String,
}

/// What follows from an illegal ply once the opponent has made a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answered {
    /// The remedy, as before.
    #[default]
    Remedied,
    /// It stands, as in rapid and blitz games without supervision (FIDE A.4.2).
    Stands,
}

/// What becomes of a pawn that a player left on its last rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unpromoted {
    /// The ply is taken back, like any other illegal one.
    #[default]
    Restored,
    /// The pawn becomes a queen (FIDE 7.5.2).
    Queen,
}

/// The remedies for an illegal ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IllegalRemedy {
    /// The position before it is restored.
    #[default]
    Restore,
    /// It stands.
    LetStand,
    /// The player loses the game.
    Forfeit,
    /// The position is restored, and clocks are changed.
    Time,
}

/// A change of clocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sanction {
    /// Seconds that the opponent of the player at fault gets.
    pub opponent_gets: u64,
    /// Seconds that the player at fault loses.
    pub player_loses: u64,
    /// The article.
    pub rule: String,
}

/// A file. Its fields are documented in `formats/policies/README.md`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    policy: String,
    title: String,
    #[serde(default = "first")]
    edition: String,
    #[serde(default)]
    #[allow(dead_code)]
    source: String,
    clock: Option<ClockFields>,
    illegal_ply: Option<IllegalFields>,
    false_claim: Option<ClaimFields>,
    wrong_setup: Option<SetupFields>,
    #[serde(default)]
    ruling: RulingFields,
}

/// How long a player may appeal against a ruling, where the policy does not say.
const APPEAL: Duration = Duration(7 * DAY / 1000);

fn first() -> String {
    "1".to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ClockFields {
    control: Option<String>,
    #[serde(default)]
    unused: Unused,
    #[serde(default)]
    charge: ChargeWord,
    double_after: Option<u32>,
    #[serde(default)]
    leave: u32,
    silence: Option<u32>,
    #[serde(default)]
    default: Duration,
    move_limit: Option<u32>,
    delay_limit: Option<u32>,
    #[serde(default)]
    delays: DelayScope,
    nature: Option<String>,
    #[serde(default)]
    flag: Flag,
    #[serde(default)]
    cap: Duration,
    #[serde(default)]
    time_outs: u32,
    #[serde(default)]
    nature_time: Duration,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum ChargeWord {
    #[default]
    Exact,
    Days,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct IllegalFields {
    remedy: IllegalRemedy,
    #[serde(default)]
    opponent_gets: Duration,
    #[serde(default)]
    player_loses: Duration,
    loses_at: Option<u32>,
    #[serde(default)]
    answered: Answered,
    #[serde(default)]
    answered_rule: String,
    #[serde(default)]
    unpromoted: Unpromoted,
    #[serde(default)]
    rule: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SetupFields {
    stands_after: u32,
    #[serde(default)]
    rule: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RulingFields {
    appeal: Duration,
}

impl Default for RulingFields {
    fn default() -> RulingFields {
        RulingFields { appeal: APPEAL }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ClaimFields {
    #[serde(default)]
    opponent_gets: Duration,
    #[serde(default)]
    player_loses: Duration,
    #[serde(default)]
    rule: String,
}

/// Seconds, `120`, or days, `"5d"`.
#[derive(Default, Clone, Copy, PartialEq)]
struct Duration(u64);

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        struct Seconds;
        impl Visitor<'_> for Seconds {
            type Value = Duration;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("seconds, such as 120, or days, such as \"5d\"")
            }

            fn visit_i64<E: de::Error>(self, seconds: i64) -> Result<Duration, E> {
                let seconds = u32::try_from(seconds);
                seconds
                    .map(|seconds| Duration(seconds.into()))
                    .map_err(|_| E::custom("a number of seconds is from 0 to 4294967295"))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Duration, E> {
                let days = text.strip_suffix('d').and_then(|days| days.parse::<u16>().ok());
                days.map(|days| Duration(u64::from(days) * DAY / 1000)).ok_or_else(|| {
                    E::custom(format!("`{text}` is no time; write 120 for seconds, or \"5d\" for days"))
                })
            }
        }
        deserializer.deserialize_any(Seconds)
    }
}

/// A field with a wrong value, and what to write.
type Mistake = (&'static str, String);

/// Policies by name: the built-in ones, and those of an event.
///
/// ```
/// use ferz_records::clock::Policies;
/// let own = ["policy = \"club\"\ntitle = \"Our club\"\n[illegal-ply]\nremedy = \"forfeit\"\nloses-at = 1\n"];
/// let policies = Policies::with_files(own).map_err(|_| "an invalid policy")?;
/// assert_eq!(policies.named("club")?.id.name, "club");
/// assert!(policies.named("nonsense").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone)]
pub struct Policies {
    all: Vec<Arc<Policy>>,
}

impl Policies {
    /// The built-in policies, `untimed` and `plain` first: the defaults for clocks and for all else.
    pub fn built_in() -> &'static Arc<Policies> {
        static BUILT: LazyLock<Arc<Policies>> = LazyLock::new(|| {
            // A test reads every file, so an invalid one cannot be omitted here.
            let all = BUILT_IN.iter().filter_map(|text| Policy::read(text).ok().map(Arc::new)).collect();
            Arc::new(Policies { all })
        });
        &BUILT
    }

    /// The built-in policies and those of further files.
    ///
    /// # Errors
    /// The fault of each invalid file, with the number of the file.
    pub fn with_files<'t>(
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Result<Policies, Vec<(usize, Diagnostic)>> {
        let mut policies = Policies::clone(Policies::built_in());
        let mut faults = Vec::new();
        for (number, text) in texts.into_iter().enumerate() {
            match Policy::read(text) {
                Ok(policy) if policies.names().any(|name| name == policy.id.name) => {
                    let name = &policy.id.name;
                    let message = format!("there is already a policy `{name}`; choose another name");
                    let at = text.find(name.as_str()).unwrap_or(0);
                    let span = Span::new(at, at + name.len());
                    faults.push((number, Diagnostic::new(V_VALUE, Severity::Error, span, message)));
                }
                Ok(policy) => policies.all.push(Arc::new(policy)),
                Err(fault) => faults.push((number, *fault)),
            }
        }
        if faults.is_empty() { Ok(policies) } else { Err(faults) }
    }

    /// These policies, of which those of files that were kept replace others of their name. A file that is no policy
    /// any more is left out.
    pub fn with_kept<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Policies {
        let mut policies = self.clone();
        for kept in texts.into_iter().filter_map(|text| Policy::read(text).ok()) {
            policies.all.retain(|policy| policy.id.name != kept.id.name);
            policies.all.push(Arc::new(kept));
        }
        policies
    }

    /// All policies, the built-in ones first.
    pub fn all(&self) -> &[Arc<Policy>] {
        &self.all
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|policy| policy.id.name.as_str())
    }

    /// The policy of this name.
    ///
    /// # Errors
    /// If there is none; the message lists the names.
    pub fn named(&self, name: &str) -> Result<Arc<Policy>, String> {
        let found = self.all.iter().find(|policy| policy.id.name == name);
        found.cloned().ok_or_else(|| {
            let names: Vec<&str> = self.names().collect();
            format!("unknown policy `{name}`; write one of {}", names.join(", "))
        })
    }
}

impl Policy {
    /// Reads a policy file.
    ///
    /// # Errors
    /// The fault, with its place and what to write.
    pub fn read(text: &str) -> Result<Policy, Box<Diagnostic>> {
        let wrong =
            |code, span, message: String| Box::new(Diagnostic::new(code, Severity::Error, span, message));
        if text.len() > DEFINITION_BYTES_MAX {
            let message = format!("a policy has at most {DEFINITION_BYTES_MAX} bytes");
            return Err(wrong(V_SYNTAX, Span::new(0, 0), message));
        }
        let syntax = |error: toml::de::Error| {
            let span = error.span().unwrap_or(0..0);
            wrong(V_SYNTAX, Span::new(span.start, span.end), error.message().to_owned())
        };
        let file: File = toml::from_str(text).map_err(syntax)?;
        let table: toml::Table = toml::from_str(text).map_err(syntax)?;
        let (name, edition, digest) = (file.policy.clone(), file.edition.clone(), digest(&table, ""));
        let id = Arc::new(PolicyId { name, edition, digest });
        Policy::of(file, id)
            .map(|policy| Policy { text: text.into(), ..policy })
            .map_err(|(field, message)| wrong(V_VALUE, span_of(text, field), format!("{field}: {message}")))
    }

    fn of(file: File, id: Arc<PolicyId>) -> Result<Policy, Mistake> {
        let is_stem = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '-';
        if file.policy.is_empty() || !file.policy.chars().all(is_stem) {
            return Err(("policy", "write a name of small letters, digits and hyphens".to_owned()));
        }
        let clocks = file.clock.map(clocks).transpose()?;
        let illegal = match file.illegal_ply {
            None => IllegalPly {
                remedy: IllegalRemedy::Restore,
                sanction: None,
                loses_at: None,
                answered: Answered::Remedied,
                answered_rule: String::new(),
                unpromoted: Unpromoted::Restored,
                rule: String::new(),
            },
            Some(fields) => {
                let IllegalFields {
                    remedy,
                    opponent_gets,
                    player_loses,
                    loses_at,
                    answered,
                    answered_rule,
                    unpromoted,
                    rule,
                } = fields;
                let sanction = sanction("illegal-ply", opponent_gets, player_loses, &rule)?;
                if sanction.is_some() != (remedy == IllegalRemedy::Time) {
                    let message = "time goes with opponent-gets or player-loses, such as opponent-gets = 120; the \
                                   other remedies change no clock";
                    return Err(("illegal-ply.remedy", message.to_owned()));
                }
                if loses_at == Some(0) {
                    return Err(("illegal-ply.loses-at", "write 1 or more".to_owned()));
                }
                IllegalPly { remedy, sanction, loses_at, answered, answered_rule, unpromoted, rule }
            }
        };
        let false_claim = match file.false_claim {
            None => None,
            Some(ClaimFields { opponent_gets, player_loses, rule }) => {
                let found = sanction("false-claim", opponent_gets, player_loses, &rule)?;
                let missing = "add opponent-gets or player-loses, or delete the section";
                Some(found.ok_or_else(|| ("false-claim", missing.to_owned()))?)
            }
        };
        let setup =
            file.wrong_setup.map_or_else(WrongSetup::default, |SetupFields { stands_after, rule }| {
                WrongSetup { stands_after: Some(stands_after), rule }
            });
        let appeal = file.ruling.appeal.0.saturating_mul(1000);
        let text = Arc::from("");
        Ok(Policy { id, title: file.title, clocks, illegal, false_claim, setup, appeal, text })
    }
}

/// A change of one clock; `None` if none changes.
fn sanction(
    section: &'static str,
    Duration(opponent_gets): Duration,
    Duration(player_loses): Duration,
    rule: &str,
) -> Result<Option<Sanction>, Mistake> {
    if opponent_gets > 0 && player_loses > 0 {
        return Err((section, "one clock changes; write opponent-gets or player-loses, not both".to_owned()));
    }
    let some = opponent_gets > 0 || player_loses > 0;
    Ok(some.then(|| Sanction { opponent_gets, player_loses, rule: rule.to_owned() }))
}

fn clocks(fields: ClockFields) -> Result<Clocks, Mistake> {
    let periods = match fields.control.as_deref().map(TimeControl::parse) {
        None | Some(Ok(TimeControl::Untimed)) => Vec::new(),
        Some(Ok(TimeControl::Periods(periods))) => periods,
        Some(Ok(TimeControl::Unknown)) => {
            return Err(("clock.control", "write a time control, or `-` for none".to_owned()));
        }
        Some(Err(error)) => return Err(("clock.control", error.message)),
    };
    if fields.double_after.is_some() && fields.charge != ChargeWord::Days {
        return Err(("clock.double-after", "only days count twice; add charge = \"days\"".to_owned()));
    }
    if fields.unused == Unused::Lost && periods.iter().any(|period| period.moves != Some(1)) {
        return Err((
            "clock.unused",
            "time is lost where each move has its own, such as control = \"1/3d\"".to_owned(),
        ));
    }
    let limit = match (fields.move_limit, fields.delay_limit) {
        (Some(0), _) => return Err(("clock.move-limit", "write seconds, 1 or more".to_owned())),
        (_, Some(0)) => return Err(("clock.delay-limit", "write a number of limits, 1 or more".to_owned())),
        (None, Some(_)) => {
            return Err(("clock.delay-limit", "it counts full limits; add move-limit = 60".to_owned()));
        }
        (limit, delays) => {
            limit.map(|limit| MoveLimit { time: u64::from(limit) * 1000, delays, scope: fields.delays })
        }
    };
    let nature_clock = NatureClock::of_tag(fields.nature.as_deref());
    if fields.nature.as_deref().is_some_and(|word| word != "pause" && nature_clock == NatureClock::Pause) {
        let message = "write \"pause\", \"pause+increment\" or \"pause+increment-both\"".to_owned();
        return Err(("clock.nature", message));
    }
    if fields.time_outs > 0 && limit.is_none() {
        return Err((
            "clock.time-outs",
            "they are from the limit for one move; add move-limit = 60".to_owned(),
        ));
    }
    let given = |time: Duration| (time != Duration(0)).then(|| time.0 * 1000);
    Ok(Clocks {
        periods,
        unused: fields.unused,
        charge: match fields.charge {
            ChargeWord::Exact => Charge::Exact,
            ChargeWord::Days => Charge::Days { double_after: fields.double_after },
        },
        leave: fields.leave,
        silence: fields.silence.map(|days| u64::from(days) * DAY),
        default: given(fields.default),
        limit,
        nature_clock,
        flag: fields.flag,
        cap: given(fields.cap),
        time_outs: fields.time_outs,
        nature_time: given(fields.nature_time),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_policy_is_valid() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/formats/policies");
        let mut stems: Vec<String> = std::fs::read_dir(folder)
            .expect("a folder")
            .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.strip_suffix(".toml")?.to_owned()))
            .collect();
        stems.sort();
        for (text, stem) in BUILT_IN.iter().zip(["untimed", "plain"]) {
            assert_eq!(Policy::read(text).map(|policy| policy.id.name.clone()), Ok(stem.to_owned()));
        }
        let mut names: Vec<&str> =
            Policies::built_in().all().iter().map(|policy| policy.id.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, stems);
        for policy in Policies::built_in().all() {
            let rules =
                [&policy.illegal.rule].into_iter().chain(policy.false_claim.as_ref().map(|of| &of.rule));
            for rule in rules.filter(|rule| !rule.is_empty()) {
                assert!(ferz_core::rules::article(rule).is_some(), "{rule} is no article");
            }
        }
    }

    /// Every field of a clock has an effect, and a policy that says nothing is that of a game without clocks.
    #[test]
    fn values() {
        let read = |text: &str| Policy::read(&format!("policy = \"own\"\ntitle = \"Own\"\n{text}"));
        let plain = read("").expect("a policy");
        assert_eq!(
            (plain.clocks, plain.false_claim, plain.illegal.remedy),
            (None, None, IllegalRemedy::Restore)
        );
        let full = read(
            "[clock]\ncontrol = \"10/50d\"\ncharge = \"days\"\ndouble-after = 20\nleave = 45\nsilence = 40\n\
             default = \"5d\"\n\
             move-limit = 60\ndelay-limit = 3\ndelays = \"game\"\nnature = \"pause+increment\"\n[illegal-ply]\n\
             remedy = \"time\"\nplayer-loses = \"5d\"\nloses-at = 2\nrule = \"X 1\"\n[false-claim]\n\
             opponent-gets = 120\n",
        )
        .expect("a policy");
        let clocks = full.clocks.expect("clocks");
        assert_eq!((clocks.periods[0].moves, clocks.periods[0].time), (Some(10), 50 * DAY));
        assert_eq!((clocks.leave, clocks.silence, clocks.default), (45, Some(40 * DAY), Some(5 * DAY)));
        assert_eq!(
            (clocks.charge, clocks.nature_clock),
            (Charge::Days { double_after: Some(20) }, NatureClock::Increment)
        );
        assert_eq!(clocks.limit, Some(MoveLimit { time: 60_000, delays: Some(3), scope: DelayScope::Game }));
        let sanction = Sanction { opponent_gets: 0, player_loses: 432_000, rule: "X 1".to_owned() };
        assert_eq!((full.illegal.sanction, full.illegal.loses_at), (Some(sanction), Some(2)));
        assert_eq!(full.false_claim.map(|of| of.opponent_gets), Some(120));
    }

    /// The identity is that of the fields: neither prose nor layout changes it.
    #[test]
    fn digests() {
        let digest = |text: &str| Policy::read(text).expect("a policy").id.digest.clone();
        let own = digest("policy = \"own\"\ntitle = \"Own\"\n[clock]\ncontrol = \"60\"\n");
        assert_eq!(
            own,
            digest("# a comment\ntitle = \"Other\"\npolicy='own'\nclock = { control = \"60\" }\n")
        );
        assert_ne!(own, digest("policy = \"own\"\ntitle = \"Own\"\n[clock]\ncontrol = \"61\"\n"));
    }

    #[test]
    fn mistakes_have_a_place_and_a_remedy() {
        for (text, at, remedy) in [
            ("[clock]\ncontrol = \"soon\"", "\"soon\"", "40/7200"),
            ("[clock]\ncontrol = \"60\"\ndouble-after = 20", "20", "charge"),
            ("[clock]\ncontrol = \"60\"\nunused = \"lost\"", "\"lost\"", "1/3d"),
            ("[clock]\ndelay-limit = 3", "3", "move-limit = 60"),
            ("[clock]\nmove-limit = 0", "0", "1 or more"),
            ("[clock]\nnature = \"stop\"", "\"stop\"", "pause+increment"),
            ("[clock]\nclocks = 3", "clocks", "expected one of"),
            ("[illegal-ply]\nremedy = \"time\"", "\"time\"", "opponent-gets = 120"),
            ("[illegal-ply]\nremedy = \"restore\"\nopponent-gets = 5", "\"restore\"", "change no clock"),
            ("[illegal-ply]\nremedy = \"undo\"", "\"undo\"", "`restore`"),
            ("[illegal-ply]\nremedy = \"time\"\nopponent-gets = \"2m\"", "\"2m\"", "write 120"),
            ("[illegal-ply]\nremedy = \"time\"\nopponent-gets = -5", "-5", "from 0"),
            ("[false-claim]\nrule = \"X 1\"", "[false-claim]", "delete the section"),
            ("[false-claim]\nopponent-gets = 1\nplayer-loses = 1", "[false-claim]", "not both"),
            ("[clock", "[clock", ""),
        ] {
            let text = format!("policy = \"own\"\ntitle = \"Own\"\n{text}\n");
            let fault = Policy::read(&text).expect_err(&text);
            assert!(fault.message.contains(remedy), "{text}: {}", fault.message);
            let place = text.find(at).unwrap_or_default();
            assert!((place..=place + at.len()).contains(&fault.span.start), "{text}: {fault:?}");
        }
        assert!(Policies::built_in().named("fide").is_err_and(|message| message.contains("fide-rapid")));
        assert!(
            Policy::read("policy = \"A B\"\ntitle = \"\"")
                .is_err_and(|fault| fault.message.contains("small letters"))
        );
    }
}
