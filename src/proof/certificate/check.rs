//! Makes and checks certificates.

use super::expected::expected;
use super::refusal::{Refusal, Step};
use super::walk::Walk;
use super::{Certificate, Claim, Effort, FORM, Fifty, Given, Premise};
use ferz_core::board::{Mask, by_width};
use ferz_core::notation::{Alphabet, Languages};
use ferz_core::position::{EndReason, Outcome, Position};
use ferz_core::rules::registry::with_field;
use ferz_core::rules::{AnyRules, Proving, Registry, Rules};
use ferz_records::record::{Record, read};
use std::sync::Arc;

/// What a certificate is about: a record, a claim, and what decides it.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'s> {
    /// The record, byte for byte.
    pub record: &'s str,
    /// The name of its rules.
    pub variant: &'s str,
    /// The code of the language of its piece letters.
    pub language: Option<&'s str>,
    /// The claim, with its ply.
    pub claim: &'s Claim,
    /// Whether moves are counted.
    pub fifty: Fifty,
    /// What a search found that decides the claim.
    pub given: Given<'s>,
    /// What the work may cost, and how far it goes.
    pub effort: Effort<'s>,
}

/// The digest of a record.
fn digest(record: &str) -> String {
    blake3::hash(record.as_bytes()).to_hex()[..32].to_owned()
}

/// Makes the certificate of a statement.
///
/// # Errors
/// If the record does not show what the claim is about, or no kind of certificate covers it.
pub fn make(registry: &Registry, languages: &Languages, of: &Statement<'_>) -> Result<Certificate, Refusal> {
    let record = only_record(of.record)?;
    let rules = rules(registry, of.variant, &record)?;
    by_width!(AnyRules, &rules, |rules| make_in(rules, languages, &record, of))
}

fn make_in<M: Mask>(
    rules: &Arc<Rules<M>>,
    languages: &Languages,
    record: &Record<'_>,
    of: &Statement<'_>,
) -> Result<Certificate, Refusal> {
    if let Some(field) = rules.unknown_to(Proving::ByRecord) {
        let message = format!("no certificate covers a game with the rule `{field}`");
        return Err(Refusal::new(Step::Statement, message));
    }
    let alphabet = alphabet(rules, languages, of.language)?;
    let uncounted = match of.fifty {
        Fifty::Applied => None,
        Fifty::Suspended => Some(uncounted(rules, record)?),
    };
    let start = start(uncounted.as_ref().unwrap_or(rules), record)?;
    let identity = text(start.identity());
    let is_old = LAWS_OF_2014.is_some_and(|since| record.is_before(since));
    let mut walk = Walk::new(start, alphabet.as_ref(), is_old, of.effort);
    if alphabet.is_some() && !of.claim.premises.contains(&Premise::Language) {
        let whole = |alphabet| Walk::new(walk.start.clone(), alphabet, is_old, of.effort).whole(record);
        if let Some(own) = whole(None)
            && whole(alphabet.as_ref()).is_none_or(|plies| plies != own)
        {
            let message = "the record is legal in the game's own letters, too, with other plies; the language is a \
                           premise that the claim does not state";
            return Err(Refusal::new(Step::Record, message));
        }
    }
    let found = expected(&mut walk, record, of.claim, of.given)?;
    Ok(Certificate {
        certificate: FORM,
        kind: found.evidence.kind(),
        claim: of.claim.clone(),
        verdict: found.verdict,
        result: found.result,
        premises: premises(of, found.premises),
        rules: rules.id.clone(),
        language: of.language.map(str::to_owned),
        language_digest: of.language.and_then(|code| languages.find(code)).map(|language| language.digest()),
        record: of.record.to_owned(),
        fifty: of.fifty,
        digest: digest(of.record),
        start: identity,
        plies: walk.plies,
        evidence: found.evidence,
    })
}

/// Year and month since which five occurrences and seventy-five moves draw a game by themselves.
const LAWS_OF_2014: Option<(u16, u8)> = EndReason::FivefoldRepetition.in_force_since();

/// The premises of a claim, that of the language first.
fn premises(of: &Statement<'_>, found: Vec<Premise>) -> Vec<Premise> {
    let stated = of.claim.premises.contains(&Premise::Language) && of.language.is_some();
    stated.then_some(Premise::Language).into_iter().chain(found).collect()
}

/// Checks a certificate: accepts it only if its record shows the verdict on its claim under its rules.
///
/// # Errors
/// With the first step that fails. [`Step::Budget`] says nothing about the certificate: the check did not end.
pub fn check(
    registry: &Registry,
    languages: &Languages,
    certificate: &Certificate,
    effort: Effort<'_>,
) -> Result<(), Refusal> {
    let checked = check_steps(registry, languages, certificate, effort);
    // Without the budget, any step may have failed for want of it.
    effort.budget.check().map_err(|exhausted| Refusal::new(Step::Budget, exhausted.to_string()))?;
    checked
}

fn check_steps(
    registry: &Registry,
    languages: &Languages,
    certificate: &Certificate,
    effort: Effort<'_>,
) -> Result<(), Refusal> {
    let Certificate { claim, rules, language, record, evidence, fifty, .. } = certificate;
    let refuse = |step, message: String| Err(Refusal::new(step, message));
    if certificate.certificate != FORM {
        let form = certificate.certificate;
        return refuse(Step::Form, format!("form {form} is not supported; this version reads form {FORM}"));
    }
    if certificate.kind != evidence.kind() {
        return refuse(Step::Form, "the evidence is of another kind".to_owned());
    }
    if digest(record) != certificate.digest {
        return refuse(
            Step::Record,
            "the record is not the one that was certified: its digest differs".into(),
        );
    }
    let (variant, language, given) = (rules.name.as_str(), language.as_deref(), evidence.given());
    let of = Statement { record, variant, language, claim, fifty: *fifty, given, effort };
    let made = make(registry, languages, &of)?;
    if made.rules != *rules {
        let digest = &made.rules.digest;
        return refuse(Step::Rules, format!("the rules of `{variant}` at hand have the digest {digest}"));
    }
    if made.start != certificate.start {
        return refuse(Step::Start, format!("the record starts from {}", made.start));
    }
    if made.plies != certificate.plies {
        let differs = made.plies.iter().zip(&certificate.plies).position(|(own, given)| own != given);
        let at = differs.unwrap_or(made.plies.len().min(certificate.plies.len())) + 1;
        return refuse(Step::Plies, format!("ply {at} is not the record's"));
    }
    if (made.verdict, made.result) != (certificate.verdict, certificate.result) {
        let result = made.result.map_or("no result", Outcome::as_str);
        return refuse(Step::Statement, format!("the record shows: {}, {result}", made.verdict));
    }
    if made.premises != certificate.premises {
        let words: Vec<&str> = made.premises.iter().map(|premise| premise.id()).collect();
        let words = if words.is_empty() { "nothing besides the record".to_owned() } else { words.join(", ") };
        return refuse(Step::Statement, format!("the verdict rests on {words}"));
    }
    if made.language_digest != certificate.language_digest {
        return refuse(Step::Record, "the language at hand has other letters".to_owned());
    }
    if made.evidence != *evidence {
        return refuse(Step::Evidence, "the evidence is not what the record shows".to_owned());
    }
    debug_assert_eq!(made, *certificate);
    Ok(())
}

/// The one record of a text.
fn only_record(text: &str) -> Result<Record<'_>, Refusal> {
    let mut records = read(text.as_bytes(), 0);
    match (records.next(), records.next()) {
        (Some(record), None) => Ok(record),
        (None, _) => Err(Refusal::new(Step::Record, "there is no record")),
        _ => Err(Refusal::new(Step::Record, "there is more than one record")),
    }
}

/// The rules of a name, with what the record's tags choose. The record must be of the same game; without a tag
/// `Variant` it is one of chess.
fn rules(registry: &Registry, variant: &str, record: &Record<'_>) -> Result<AnyRules, Refusal> {
    let refuse = |message: String| Refusal::new(Step::Rules, message);
    let canonical = |name: &str| registry.canonical_name(name).map_err(|error| refuse(error.to_string()));
    let named = record.tag("Variant").filter(|name| !matches!(&**name, "" | "?" | "-"));
    let named = named.as_deref().unwrap_or("chess");
    if canonical(named)? != canonical(variant)? {
        return Err(refuse(format!("the record is one of {named}, not of {variant}")));
    }
    let tag = |name: &str| record.tag(name).map(|value| value.into_owned());
    registry.rules(variant, &tag).map_err(|error| refuse(error.to_string()))
}

/// The rules without the counters of moves.
fn uncounted<M: Mask>(rules: &Rules<M>, record: &Record<'_>) -> Result<Arc<Rules<M>>, Refusal> {
    let tag = |name: &str| record.tag(name).map(|value| value.into_owned());
    let found = with_field(rules, "ends.move-counters", false, &tag);
    found.map(Arc::new).map_err(|error| Refusal::new(Step::Rules, error.to_string()))
}

fn alphabet<M: Mask>(
    rules: &Rules<M>,
    languages: &Languages,
    code: Option<&str>,
) -> Result<Option<Alphabet>, Refusal> {
    let Some(code) = code else { return Ok(None) };
    let language = languages.find(code);
    let language =
        language.ok_or_else(|| Refusal::new(Step::Record, format!("the language {code} is not known")))?;
    Ok(Some(Alphabet::new(language, rules)))
}

fn start<M: Mask>(rules: &Arc<Rules<M>>, record: &Record<'_>) -> Result<Position<M>, Refusal> {
    match record.tag("FEN") {
        Some(fen) => Position::from_tag(Arc::clone(rules), &fen)
            .map_err(|error| Refusal::new(Step::Start, error.to_string())),
        None => Ok(Position::start(Arc::clone(rules))),
    }
}

/// Identities are ASCII.
fn text(identity: Vec<u8>) -> String {
    String::from_utf8_lossy(&identity).into_owned()
}
