//! One game: its rules, its start, its result, and the diagnostics for the whole record.

use super::codes;
use super::decided::{Decided, OtherRules, other_rules};
use super::evidence::is_mixed;
use super::interpretation::Interpretation;
use super::languages::{Alphabets, Trials};
use super::line::{LineOutcome, Observer};
use super::report::{Agreement, Claimable, Decision, Legality, Located, Report, Source, StyleEvidence};
use super::start::Starts;
use super::tag_checks::against_the_game;
use super::tags::{about_set_up, about_start, fen_fault, misspelt, other_digest, rules_fault, tag_span};
use super::which_game::{AUTO, about_shown_game, has_other_board, names_no_game, shown_game, shuffled};
use crate::record::codes as record_codes;
use crate::record::{GameResult, Record};
use ferz_core::board::{Mask, Owner, by_width};
use ferz_core::judge::{Judge, Outcome};
use ferz_core::notation::{Alphabet, Language, Languages, Letters, MoveText, Style};
use ferz_core::position::{FenError, Position};
use ferz_core::rules::by_choice::{ByChoice, tags_read};
use ferz_core::rules::registry::TagLookup;
use ferz_core::rules::{AnyRules, Definition, Registry, RegistryError, Rules, RulesId};
use ferz_core::text::{Budget, Code, Diagnostic, Exhausted, Severity, Span};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Options for reading and judging records.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The only accepted style; `None` for any.
    pub style: Option<Style>,
    /// The game, which overrides the tag `Variant`.
    pub variant: Option<String>,
    /// Lets illegal plies stand: each is reported, and the replay continues from the position that was on the board.
    /// If false, only plies that the record marks with `[%letstand]` are let stand.
    pub let_stand: bool,
    /// The language of the piece letters.
    pub language: LanguageChoice,
    /// The languages to detect; `None` for the built-in ones.
    pub languages: Option<Arc<Languages>>,
    /// Makes every deviation from the form of the notation an error.
    pub strict: bool,
}

/// The language of a record's piece letters.
#[derive(Debug, Clone, Default)]
pub enum LanguageChoice {
    /// The game's own letters, or those of the language detected for the whole record.
    #[default]
    Auto,
    /// The game's own letters.
    Own,
    /// The letters of a language.
    Of(Arc<Language>),
}

impl LanguageChoice {
    /// The choice by the code or name of a language; `en` for the game's own letters, `auto` to detect it.
    ///
    /// # Errors
    /// If the language is unknown; the message lists the known ones.
    pub fn named(name: &str, languages: &Languages) -> Result<LanguageChoice, String> {
        if name.eq_ignore_ascii_case("auto") {
            return Ok(LanguageChoice::Auto);
        }
        Ok(languages.choose(name)?.map_or(LanguageChoice::Own, LanguageChoice::Of))
    }
}

/// A game's rules with values derived once: letters and the array.
#[derive(Debug)]
pub struct Game<M> {
    /// The rules.
    pub rules: Arc<Rules<M>>,
    /// Their identity, shared by all reports.
    pub id: Arc<RulesId>,
    /// Their name, shared by all reports.
    pub name: Arc<str>,
    /// The piece letters of the game.
    pub letters: Letters,
    /// The game's own style of notation.
    pub native: Style,
    /// The start position of records that give none, which all of them share.
    pub(super) start: Arc<Position<M>>,
    pub(super) start_fen: Arc<str>,
    /// The letters of all languages, computed when a record needs them.
    alphabets: OnceLock<Alphabets>,
    /// The rules by other readings, compiled when a record needs them.
    others: OnceLock<Vec<OtherRules<M>>>,
}

impl<M: Mask> Game<M> {
    fn new(rules: Arc<Rules<M>>) -> Game<M> {
        let id = Arc::new(rules.id.clone());
        let name = id.name.as_str().into();
        let letters = Letters::new(&rules);
        let native = rules.definition.native_style.parse().unwrap_or(Style::San);
        let start = Arc::new(Position::start(Arc::clone(&rules)));
        let start_fen = start.fen().into();
        Game {
            id,
            name,
            letters,
            native,
            start,
            start_fen,
            rules,
            alphabets: OnceLock::new(),
            others: OnceLock::new(),
        }
    }

    /// The rules by the other readings of its rulings; `tags` are those of a record of this game.
    pub fn other_rules(&self, tags: TagLookup<'_>) -> &[OtherRules<M>] {
        self.others.get_or_init(|| other_rules(&self.rules, &self.start_fen, tags))
    }

    /// The start position of records that give none.
    pub(super) fn usual_start(&self) -> &Position<M> {
        &self.start
    }

    /// True if castling rights of a FEN do not hold in this game, or say nothing in it: a game with gating reads the
    /// files of pieces that may still be relieved, and nothing may be left to relieve them.
    pub(super) fn start_lacks_rights(&self, fen: &str) -> bool {
        match Position::from_fen(Arc::clone(&self.rules), fen) {
            Err(error) => error.field == "castling",
            Ok(start) => {
                let is_spent = |owner: Owner| start.reserve(owner).iter().all(|count| *count == 0);
                self.rules.gating.is_some()
                    && start.status().castling.is_empty()
                    && Owner::REAL.into_iter().all(is_spent)
            }
        }
    }

    /// The letters of all known languages in this game.
    fn alphabets(&self, languages: &Languages) -> Alphabets {
        let all = || languages.all().iter().map(|language| Arc::new(Alphabet::new(language, &self.rules)));
        Arc::clone(self.alphabets.get_or_init(|| Arc::new(all().collect())))
    }

    /// The letters of a language in this game.
    fn alphabet(&self, languages: &Languages, language: &Arc<Language>) -> Arc<Alphabet> {
        let known = self.alphabets(languages);
        let found = known.iter().find(|alphabet| alphabet.language == *language);
        found.cloned().unwrap_or_else(|| Arc::new(Alphabet::new(language, &self.rules)))
    }
}

/// A game on a small board or a large one.
#[derive(Debug, Clone)]
pub enum AnyGame {
    /// Up to 64 squares.
    Narrow(Arc<Game<u64>>),
    /// Up to 128 squares.
    Wide(Arc<Game<u128>>),
}

impl AnyGame {
    /// The merged definition of its rules.
    pub fn definition(&self) -> &Definition {
        by_width!(AnyGame, self, |game| &game.rules.definition)
    }

    /// The identity of its rules.
    pub fn id(&self) -> &RulesId {
        by_width!(AnyGame, self, |game| &game.id)
    }

    /// The digest of its whole definition, words included.
    pub fn whole(&self) -> &str {
        by_width!(AnyGame, self, |game| game.rules.file.digest())
    }

    /// The digest that binds a record to its rules, as the tag `RulesDigest`: that of play for a game that the program
    /// brings, that of the whole definition for any other, since definitions of one play may read records differently.
    pub fn binding(&self) -> &str {
        let id = self.id();
        if Registry::is_built_in_name(&id.name) { &id.digest } else { self.whole() }
    }

    /// Its piece letters.
    pub fn letters(&self) -> &Letters {
        by_width!(AnyGame, self, |game| &game.letters)
    }
}

/// Replays records and caches their games. Use one for each thread.
#[derive(Debug)]
pub struct Replayer<'r> {
    registry: &'r Registry,
    pub(super) options: Options,
    /// The games by name and the tags that choose rules.
    games: Arc<Mutex<ByChoice<AnyGame>>>,
    /// Chess, if its definition reads no tags.
    chess: Option<AnyGame>,
}

impl<'r> Replayer<'r> {
    /// A replayer for the games of a registry.
    pub fn new(registry: &'r Registry, options: Options) -> Replayer<'r> {
        Replayer { registry, options, games: Arc::default(), chess: None }
    }

    /// A replayer of the same registry with other options. The two share their games, because computing the letters
    /// takes longer than judging a game.
    pub fn with_options(&self, options: Options) -> Replayer<'r> {
        let same = match (&self.options.languages, &options.languages) {
            (None, None) => true,
            (Some(own), Some(languages)) => Arc::ptr_eq(own, languages),
            _ => false,
        };
        // A game caches the letters of all languages to detect.
        let games = if same { Arc::clone(&self.games) } else { Arc::default() };
        Replayer { registry: self.registry, options, games, chess: None }
    }

    /// The games that it knows.
    pub fn registry(&self) -> &'r Registry {
        self.registry
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Replays a record that is part of `source` and reports on it.
    pub fn report(&mut self, record: &Record<'_>, source: &Source<'_>, number: usize) -> Report {
        Budget::endless(|budget| self.report_within(record, source, number, budget))
    }

    /// The same within a budget.
    ///
    /// # Errors
    /// If the budget ends before the work.
    pub fn report_within(
        &mut self,
        record: &Record<'_>,
        source: &Source<'_>,
        number: usize,
        budget: &Budget,
    ) -> Result<Report, Exhausted> {
        let of = Judging { record, source, number, budget };
        match self.game_or_report(of) {
            Ok(game) => self.judge(&game, of, &mut ()),
            Err(report) => Ok(*report),
        }
    }

    /// The game of a record, or the report that says why its rules are unknown.
    pub(crate) fn game_or_report(&mut self, of: Judging<'_>) -> Result<AnyGame, Box<Report>> {
        self.game_within(of.record, of.budget).map_err(|error| {
            let (code, span) = rules_fault(of.record, &error);
            Box::new(self.unjudged(of, code, span, error.to_string()))
        })
    }

    /// Judges a record of a known game while `observer` looks at its plies.
    ///
    /// # Errors
    /// If the budget ends before the work.
    pub(crate) fn judge(
        &self,
        game: &AnyGame,
        of: Judging<'_>,
        observer: &mut (impl Observer<u64> + Observer<u128>),
    ) -> Result<Report, Exhausted> {
        by_width!(AnyGame, game, |game| self.judge_in(game, of, observer))
    }

    /// The requested game, if one was named.
    fn requested(&self) -> Option<&str> {
        self.options.variant.as_deref().filter(|variant| !variant.eq_ignore_ascii_case(AUTO))
    }

    /// The name of a record's game.
    fn variant<'a>(&'a self, record: &'a Record<'_>, budget: &Budget) -> Cow<'a, str> {
        if let Some(variant) = self.requested() {
            return Cow::Borrowed(variant);
        }
        if let Some(name) = record.tag("Variant").filter(|_| !names_no_game(record)) {
            return name;
        }
        if record.is_of_two_boards() {
            return Cow::Borrowed("bughouse");
        }
        if self.options.variant.is_some() {
            let source = Source::new(record.source(), record.offset(), 0);
            if let Some(game) = self.only_fitting(Judging { record, source: &source, number: 0, budget }) {
                return Cow::Owned(game);
            }
        }
        if let Some(shown) = shown_game(record) {
            return shown.name;
        }
        if has_other_board(record) {
            if let Some(game) = self.only_reader(record, budget) {
                return Cow::Owned(game);
            }
            let source = Source::new(record.source(), record.offset(), 0);
            if let Some(game) = self.only_fitting(Judging { record, source: &source, number: 0, budget }) {
                return Cow::Owned(game);
            }
        }
        Cow::Borrowed("chess")
    }

    /// The game of a record, with its rules.
    ///
    /// # Errors
    /// If the game is unknown or its tags are invalid.
    pub fn game(&mut self, record: &Record<'_>) -> Result<AnyGame, RegistryError> {
        self.game_within(record, &Budget::unlimited())
    }

    /// The same, while a choice among all games ends with a budget, and is then chess.
    fn game_within(&mut self, record: &Record<'_>, budget: &Budget) -> Result<AnyGame, RegistryError> {
        let game = self.named_game(record, budget)?;
        match other_digest(record, &game) {
            Some(other) => Err(other),
            None => Ok(game),
        }
    }

    /// The game that a record names, whatever digest it gives.
    fn named_game(&mut self, record: &Record<'_>, budget: &Budget) -> Result<AnyGame, RegistryError> {
        let plain = self.options.variant.is_none()
            && record.find_tag("Variant").is_none()
            && !record.is_of_two_boards()
            && record.find_tag("RulesEdition").is_none()
            && !has_other_board(record)
            && shown_game(record).is_none();
        if let (true, Some(chess)) = (plain, &self.chess) {
            return Ok(chess.clone());
        }
        let variant = self.variant(record, budget).into_owned();
        let tags = |name: &str| record.tag(name).map(Cow::into_owned);
        let game = self.game_named(&variant, &tags, budget)?;
        if self.options.variant.is_none()
            && let Some(name) = shuffled(self.registry, &game, record)
        {
            return self.game_named(&name, &tags, budget);
        }
        if plain && tags_read(game.definition()).is_empty() {
            self.chess = Some(game.clone());
        }
        Ok(game)
    }

    /// True if the rules of a game have editions, so that a record must name its own (IAM-2).
    pub(crate) fn has_editions(&self, game: &AnyGame) -> bool {
        self.has_editions_in(game.definition())
    }

    fn has_editions_in(&self, definition: &Definition) -> bool {
        definition.editions_change || self.registry.editions(&definition.name) > 1
    }

    /// True if the program alone would not judge a record by these rules: they are of the user's own files, or others
    /// than today's.
    pub(crate) fn is_own_game(&self, game: &AnyGame, record: &Record<'_>) -> bool {
        let built_in = Registry::built_in();
        let tags = |name: &str| record.tag(name).map(Cow::into_owned);
        let rules = || built_in.rules(&game.definition().name, &tags).ok();
        !std::ptr::eq(self.registry, built_in) && rules().is_none_or(|rules| rules.id() != game.id())
    }

    /// A game by its name, with the choices in a record's tags.
    pub(super) fn game_named(
        &self,
        variant: &str,
        tags: TagLookup<'_>,
        budget: &Budget,
    ) -> Result<AnyGame, RegistryError> {
        let known = self.games.lock().unwrap_or_else(PoisonError::into_inner).get(variant, tags);
        known.map_or_else(
            || {
                // If the budget ends with it, the work on the record says so.
                let _ = budget.spend(UNITS_COMPILE);
                self.new_game(variant, tags)
            },
            Ok,
        )
    }

    /// Makes a new game and caches it.
    fn new_game(&self, variant: &str, tags: TagLookup<'_>) -> Result<AnyGame, RegistryError> {
        let game = match self.registry.rules(variant, tags)? {
            AnyRules::Narrow(rules) => AnyGame::Narrow(Arc::new(Game::new(rules))),
            AnyRules::Wide(rules) => AnyGame::Wide(Arc::new(Game::new(rules))),
        };
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.insert(variant, tags, game.definition(), game.clone());
        Ok(game)
    }

    /// [`Replayer::judge`] with a mask of known width.
    pub(super) fn judge_in<M: Mask>(
        &self,
        game: &Game<M>,
        of: Judging<'_>,
        observer: &mut impl Observer<M>,
    ) -> Result<Report, Exhausted> {
        let Judging { record, source, number, budget } = of;
        budget.spend(UNITS_RECORD)?;
        let starts = match self.starts(game, of) {
            Ok(starts) => starts,
            Err(report) => return Ok(*report),
        };
        let Starts { first: start, second, .. } = &starts;
        let (second, unsettled) = (second.as_ref(), starts.unsettled.is_some());
        let trials = Trials { game, record, source, start, second, budget, unsettled };
        let Interpreted { outcome, interpretation, said, style_evidence } = self.read(&trials, observer)?;
        let LineOutcome { judge, final_fen, claims, style, illegal, tried, let_stand, .. } = outcome;
        let LineOutcome { mut diagnostics, variations, plies, boards, .. } = outcome;
        diagnostics.extend(said.map(|diagnostic| source.place(diagnostic, None)));
        diagnostics.extend(about_text(record, source));
        diagnostics.extend(self.about_tags_and_start(game, of, &starts));
        // On two boards each has claims of its own.
        let claimable = match boards {
            Some(_) => Vec::new(),
            None => claimable(&judge, budget, style, &interpretation)?,
        };
        let (end, tag) = (judge.end(), record.result_tag());
        let mut report = Report {
            game: number,
            path: Vec::new(),
            variant: Arc::clone(&game.name),
            rules: Some(Arc::clone(&game.id)),
            style,
            style_evidence,
            language: interpretation.language(),
            plies,
            verdict: Legality::default(),
            legal: true,
            illegal,
            let_stand,
            end,
            end_rule: end.map(|end| end.rule(&game.rules)),
            result_tag: tag.or(record.result),
            agreement: Agreement::Unverifiable,
            final_fen,
            claims,
            claimable,
            decided_by: Vec::new(),
            boards: None,
            variations: variations.into_iter().flatten().collect(),
            diagnostics,
        }
        .settled();
        report.set_game(number);
        let is_on_two = boards.is_some();
        if let Some(boards) = boards {
            report.on_two(*boards, &game.rules);
        }
        self.agree(record, source, tag, &mut report);
        if !is_on_two {
            self.complete(game, of, (start, &judge), (&mut report, tried))?;
        }
        report.diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        Ok(report)
    }

    /// What a game on one board shows beside its plies and its end: whether it is another game, rulings that decided
    /// it, tags that contradict it.
    fn complete<M: Mask>(
        &self,
        game: &Game<M>,
        of: Judging<'_>,
        (start, judge): (&Position<M>, &Judge<M>),
        (report, tried): (&mut Report, Option<MoveText>),
    ) -> Result<(), Exhausted> {
        let Judging { record, source, .. } = of;
        if let Some(other) = self.other_games(of, report)? {
            report.diagnostics.push(source.place(other, None));
        }
        report.decided_by = Self::decided(game, of, (start, judge), (report, tried))?;
        for diagnostic in against_the_game(record, report, judge, &game.rules.definition) {
            report.diagnostics.push(source.place(diagnostic, None));
        }
        Ok(())
    }

    /// Diagnostics about the tags, the start among them.
    fn about_tags_and_start<M: Mask>(
        &self,
        game: &Game<M>,
        of: Judging<'_>,
        starts: &Starts<M>,
    ) -> Vec<Located> {
        let Judging { record, source, .. } = of;
        let mut found = self.about_tags(&game.rules.definition, record, starts.unsettled.clone());
        // A tag `FEN` for two boards is spelled as neither of them.
        if starts.second.is_none() {
            found.extend(about_start(record, &starts.first));
        }
        found.into_iter().map(|diagnostic| source.place(diagnostic, None)).collect()
    }

    /// The rulings that decided a judged game.
    fn decided<M: Mask>(
        game: &Game<M>,
        of: Judging<'_>,
        (start, judge): (&Position<M>, &Judge<M>),
        (report, tried): (&Report, Option<MoveText>),
    ) -> Result<Vec<Decision>, Exhausted> {
        let decided = Decided { game, start, judge, report, tried, budget: of.budget };
        decided.decisions(&|name| of.record.tag(name).map(Cow::into_owned))
    }

    /// Replays the plies, in the interpretation that fits them best: in the game's own letters or a language's, in the
    /// style that most of them are in.
    fn read<M: Mask>(
        &self,
        trials: &Trials<'_, '_, M>,
        observer: &mut impl Observer<M>,
    ) -> Result<Interpreted<M>, Exhausted> {
        let game = trials.game;
        let mut interpretation = self.first_interpretation(game);
        let mut language_known = !matches!(self.options.language, LanguageChoice::Auto);
        let mut style_known = self.options.style.is_some();
        let mut ranks_known = style_known || !Style::Ucci.is_for(&game.rules.definition);
        let (mut said, mut style_evidence) = (None, Vec::new());
        loop {
            let outcome = trials.outcome(&interpretation, observer)?;
            let mut next = None;
            if !ranks_known {
                ranks_known = true;
                next = trials.zero_ranks(&interpretation, &outcome)?;
            }
            if next.is_none() && !language_known {
                language_known = true;
                let found =
                    trials.language(&interpretation, &outcome, || game.alphabets(self.languages()))?;
                (next, said) = (found.interpretation, found.diagnostic);
            }
            if next.is_none() && outcome.small_letters && !interpretation.small_letters {
                next = Some(Interpretation { small_letters: true, ..interpretation.clone() });
            }
            if next.is_none() && !style_known && is_mixed(outcome.habits, game.native) {
                style_known = true;
                let (style, evidence) = trials.style(&interpretation, outcome.style)?;
                let changes = style != outcome.style || !evidence.is_empty();
                style_evidence = evidence;
                next = changes.then(|| Interpretation { spelled_in: Some(style), ..interpretation.clone() });
            }
            let demanded =
                self.options.style.filter(|_| next.is_none() && interpretation.spelled_in.is_none());
            if let Some(style) = demanded.filter(|style| style.is_left_by(outcome.habits)) {
                next = Some(Interpretation { spelled_in: Some(style), ..interpretation.clone() });
            }
            let Some(next) = next else {
                return Ok(Interpreted { outcome, interpretation, said, style_evidence });
            };
            interpretation = next;
            observer.restart();
        }
    }

    fn first_interpretation<M: Mask>(&self, game: &Game<M>) -> Interpretation {
        let Options { style, language, strict, let_stand, .. } = &self.options;
        let alphabet = match language {
            LanguageChoice::Of(language) => Some(game.alphabet(self.languages(), language)),
            LanguageChoice::Auto | LanguageChoice::Own => None,
        };
        Interpretation {
            style: *style,
            strict: *strict,
            let_stand: *let_stand,
            alphabet,
            ..Interpretation::default()
        }
    }

    /// The languages that it knows.
    pub fn languages(&self) -> &Languages {
        self.options.languages.as_ref().unwrap_or_else(|| Languages::built_in())
    }

    /// The letters of the language with the code in a game.
    pub(crate) fn alphabet_of(&self, game: &AnyGame, code: &str) -> Option<Arc<Alphabet>> {
        Some(self.alphabet(game, self.languages().find(code)?))
    }

    /// The letters of a language in a game.
    pub fn alphabet(&self, game: &AnyGame, language: &Arc<Language>) -> Arc<Alphabet> {
        by_width!(AnyGame, game, |game| game.alphabet(self.languages(), language))
    }

    /// Diagnostics about the tags, apart from the moves.
    fn about_tags(
        &self,
        definition: &Definition,
        record: &Record<'_>,
        unsettled: Option<FenError>,
    ) -> Vec<Diagnostic> {
        let let_stand = |error: FenError| {
            let (code, span) = (codes::J_START_LET_STAND, fen_fault(record, &error));
            Diagnostic::new(code, Severity::Warning, span, error.message)
        };
        let mut found = Vec::from_iter(unsettled.map(let_stand));
        found.extend(about_set_up(record));
        if self.options.variant.is_none() {
            found.extend(about_shown_game(self.registry, definition, record));
        }
        if let (Some(wanted), Some(tag)) = (self.requested(), record.tag("Variant")) {
            let same = self.registry.canonical_name(&tag).ok() == self.registry.canonical_name(wanted).ok();
            if !same {
                let message =
                    format!("the tag Variant is `{tag}`, but the game is judged as `{wanted}`, as requested");
                found.push(Diagnostic::new(
                    codes::J_VARIANT_OVERRIDDEN,
                    Severity::Warning,
                    tag_span(record, "Variant"),
                    message,
                ));
            }
        }
        found.extend(misspelt(record));
        if self.has_editions_in(definition) && record.find_tag("RulesEdition").is_none() {
            let message =
                format!("no tag RulesEdition: judged by the current edition {} (IAM-3)", definition.edition);
            found.push(Diagnostic::new(
                codes::J_EDITION_ASSUMED,
                Severity::Info,
                tag_span(record, "Variant"),
                message,
            ));
        }
        found
    }

    /// Compares the record's result with the end on the board.
    fn agree(&self, record: &Record<'_>, source: &Source<'_>, tag: Option<GameResult>, report: &mut Report) {
        let result = tag.or(record.result);
        let mut say = |code: Code, severity: Severity, message: String| {
            let diagnostic = Diagnostic::new(code, severity, tag_span(record, "Result"), message);
            report.diagnostics.push(source.place(diagnostic, None));
        };
        if let (Some(tag), Some(text)) = (tag, record.result)
            && tag != text
        {
            let message =
                format!("the tag Result is {}, but the movetext ends with {}", tag.as_str(), text.as_str());
            say(codes::J_RESULTS_DIFFER, Severity::Warning, message);
        }
        let (Some(end), Some(result)) = (report.end, result.filter(|result| *result != GameResult::Unknown))
        else {
            return;
        };
        let same = match end.outcome {
            Outcome::WhiteWins => result == GameResult::WhiteWins,
            Outcome::BlackWins => result == GameResult::BlackWins,
            Outcome::Draw => result == GameResult::Draw,
        };
        let had_no_such_rule = end.reason.in_force_since().is_some_and(|since| record.is_before(since));
        let went_on = end.reason.is_draw_by_itself() && (end.ply < report.plies || had_no_such_rule);
        let (reason, outcome) = (end.reason.id(), end.outcome.as_str());
        if same {
            report.agreement = Agreement::Confirmed;
        } else if went_on {
            let message = format!(
                "drawn by {reason} after ply {}, but play continued, to {}",
                end.ply,
                result.as_str()
            );
            let severity = if had_no_such_rule { Severity::Info } else { Severity::Warning };
            say(codes::J_RESULT_AFTER_DRAW, severity, message);
        } else {
            report.agreement = Agreement::Contradicted;
            let message = format!(
                "the result is {}, but the board shows {outcome}: {reason} after ply {}",
                result.as_str(),
                end.ply
            );
            say(codes::J_RESULT_CONTRADICTED, Severity::Error, message);
        }
    }

    /// The report on a record that cannot be judged.
    pub(super) fn unjudged(&self, of: Judging<'_>, code: Code, span: Span, message: String) -> Report {
        let Judging { record, source, number, budget } = of;
        let mut diagnostics = about_text(record, source);
        let hint = "the game was not judged";
        let diagnostic = Diagnostic::new(code, Severity::Error, span, message).note(hint);
        diagnostics.push(source.place(diagnostic, None));
        let (variant, style) = (self.variant(record, budget).into(), self.options.style);
        let report = Report::unjudged(variant, style.unwrap_or(Style::San), diagnostics);
        Report { game: number, result_tag: record.stated_result(), ..report }
    }
}

/// A record to judge, its number and its budget.
#[derive(Clone, Copy)]
pub(crate) struct Judging<'a> {
    pub record: &'a Record<'a>,
    pub source: &'a Source<'a>,
    pub number: usize,
    pub budget: &'a Budget,
}

/// Budget units for a record, besides its plies.
const UNITS_RECORD: u64 = 8;

/// Budget units for compiling the rules of a game.
pub(super) const UNITS_COMPILE: u64 = 4096;

/// A record's plies in the chosen interpretation.
struct Interpreted<M> {
    outcome: LineOutcome<M>,
    interpretation: Interpretation,
    /// A diagnostic about the interpretation.
    said: Option<Diagnostic>,
    style_evidence: Vec<StyleEvidence>,
}

/// What could be claimed at any ply of a main line.
fn claimable<M: Mask>(
    judge: &Judge<M>,
    budget: &Budget,
    style: Style,
    interpretation: &Interpretation,
) -> Result<Vec<Claimable>, Exhausted> {
    let mut all = Vec::new();
    judge.each_claimable(budget, |position, draw, intended| {
        let intended = intended.map(|ply| interpretation.written(position, &ply, style));
        all.push(Claimable { draw, intended });
    })?;
    Ok(all)
}

/// Diagnostics about the record's form, including its comments.
///
/// If nothing looks like a record, only that is reported: other findings in a letter or a program are of no use.
fn about_text(record: &Record<'_>, source: &Source<'_>) -> Vec<Located> {
    let no_record =
        record.diagnostics.first().filter(|diagnostic| diagnostic.code == record_codes::NO_RECORD);
    if let Some(diagnostic) = no_record {
        return vec![source.place(diagnostic.clone(), None)];
    }
    let found = record.diagnostics.iter().cloned().chain(record.check_commands());
    let found = found.chain(record.check_tag_values());
    found.map(|diagnostic| source.place(diagnostic, None)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read;

    /// The array of a record applies to that record only, whatever the name of the game.
    #[test]
    fn each_record_has_its_own_array() {
        let definition =
            |name: &str| format!("name = \"{name}\"\nextends = \"chess\"\n[setup]\nfrom-record = true\n");
        let files = ["shuffled", "another-960"].map(definition);
        let registry = Registry::with_files(files.iter().map(String::as_str)).expect("right definitions");
        let mut replayer = Replayer::new(&registry, Options::default());
        for variant in ["shuffled", "another-960"] {
            for (array, king) in [("RNBQKBNR", "Ke2"), ("NRKBBNRQ", "Kc2")] {
                let fen = format!("{}/pppppppp/8/8/8/8/PPPP3P/{array} w KQkq - 0 1", array.to_lowercase());
                let fen = if king == "Kc2" { fen.replace("PPPP3P", "PP4PP") } else { fen };
                let text =
                    format!("[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. {king} *\n");
                let source = Source::new(text.as_bytes(), 0, 0);
                let record = read(text.as_bytes(), 0).next().expect("a record");
                let report = replayer.report(&record, &source, 0);
                assert_eq!((report.legal, report.plies), (true, 1), "{variant} {array}: {report:?}");
            }
        }
    }

    #[test]
    fn replayers_of_the_same_languages_share_their_games() {
        let record = read(b"1. e4 *", 0).next().expect("a record");
        let mut own = Replayer::new(Registry::built_in(), Options::default());
        let game = |replayer: &mut Replayer<'_>| match replayer.game(&record) {
            Ok(AnyGame::Narrow(game)) => game,
            other => panic!("{other:?}"),
        };
        let known = game(&mut own);
        let mut strict = own.with_options(Options { strict: true, ..Options::default() });
        assert!(Arc::ptr_eq(&known, &game(&mut strict)));
        let languages = Some(Arc::new(Languages::default()));
        let mut other = own.with_options(Options { languages, ..Options::default() });
        assert!(!Arc::ptr_eq(&known, &game(&mut other)));
    }
}
