//! The conformance suite of stores, run over each implementation.

use super::{Added, Append, Limit, Store, Wait, Write};
use crate::filter::{Criteria, Filter};
use crate::place::{Place, Sides};
use crate::rulebook::KeptRules;
use crate::submission::Submission;
use crate::texts::Which;
use crate::tokens::{NewToken, TokenId};
use crate::{ArchiveError, Counts, GameId};
use ferz_core::rules::Registry;
use ferz_core::text::Budget;
use ferz_records::record::read;
use ferz_records::replay::{Options, Replayer, Source};
use std::path::Path;

/// Opens the store at a path; creates it if necessary.
pub(crate) type Open = fn(&Path) -> Sides;

const FIRST: &str =
    "[Event \"Club\"]\n[Date \"1912.03.04\"]\n[White \"Réti\"]\n[Black \"Ben\"]\n\n1. e4 e5 2. Nf3 *\n";

const NEW: Added = Added::ALL;
const KNOWN: Added = Added { play: false, entry: false, text: false, ..NEW };

/// Opens the store at a path for reading only.
pub(crate) type OpenExisting = fn(&Path) -> Box<dyn Store>;

/// Runs the suite over an implementation.
pub(crate) fn conforms(open: Open, open_existing: OpenExisting) {
    let folder = tempfile::tempdir().unwrap();
    copies(open, open_existing, &folder.path().join("games.ferz"));
    let all: [fn(Open, &Path); 7] = [
        is_empty_at_first,
        keeps_each_once,
        writes_all_or_nothing,
        knows_tokens,
        finds,
        pages_texts,
        is_limited,
    ];
    for check in all {
        let folder = tempfile::tempdir().unwrap();
        check(open, &folder.path().join("games.ferz"));
    }
}

fn judged(text: &str) -> Vec<Submission> {
    let mut replayer = Replayer::new(Registry::built_in(), Options::default());
    let source = Source::new(text.as_bytes(), 0, 0);
    let records = read(text.as_bytes(), 0);
    records.map(|record| Submission::judge(&mut replayer, &record, &source).unwrap()).collect()
}

fn keep(append: &mut dyn Append, text: &str) -> (GameId, Added) {
    let submissions = judged(text);
    let written = append.append(&[Write::Keep(&submissions)], Wait::Patiently).unwrap().written;
    let (id, added) = written[0].added[0];
    assert_eq!(added.event.is_some(), added.text, "what is new is an event");
    (id, Added { event: None, ..added })
}

fn counts(store: &dyn Store) -> (u64, u64, u64) {
    let Counts { games, not_valid, texts } = store.counts(None).unwrap();
    (games, not_valid, texts)
}

fn is_whole(store: &dyn Store) {
    let mut findings = Vec::new();
    let games = store.check(&[], &mut |finding| findings.push(finding)).unwrap();
    assert_eq!((findings, games), (Vec::new(), counts(store).0));
}

fn found(store: &dyn Store, wanted: &Criteria) -> Vec<GameId> {
    store.find(wanted, None, 100, None).unwrap().into_iter().map(|(_, summary)| summary.id).collect()
}

fn token(name: &str, byte: u8) -> NewToken {
    let (holder, scopes) = (String::new(), "read".to_owned());
    NewToken { name: name.to_owned(), hash: [byte; 32], holder, scopes, expires: None }
}

fn valid(store: &dyn Store, token: &NewToken) -> Option<String> {
    store.token(&token.hash, 0).unwrap().map(|access| access.name)
}

fn is_empty_at_first(open: Open, path: &Path) {
    let (store, mut append) = open(path);
    let id = GameId([1; 16]);
    assert_eq!(store.would_add(&judged(FIRST)[0], None).unwrap(), (None, NEW));
    assert_eq!((store.place(), counts(&*store)), (Place::from(path), (0, 0, 0)));
    assert_eq!((store.entry(id, None).unwrap(), store.related(id, 9, None).unwrap()), (None, Vec::new()));
    assert!(found(&*store, &Criteria::default()).is_empty());
    assert!(store.texts(&Criteria::default(), Which::All, 0, None).unwrap().is_empty());
    assert!(store.rules(None).unwrap().is_empty() && store.tokens().unwrap().is_empty());
    assert!(!store.has_tokens().unwrap());
    assert_eq!(append.append(&[], Wait::Never).unwrap().written, []);
    append.append(&[Write::Probe], Wait::Never).unwrap();
    append.settle().unwrap();
    assert_eq!(counts(&*store), (0, 0, 0));
    is_whole(&*store);
}

fn keeps_each_once(open: Open, path: &Path) {
    let (store, mut append) = open(path);
    let (first, added) = keep(&mut *append, FIRST);
    assert_eq!(added, NEW);
    assert_eq!(keep(&mut *append, FIRST), (first, KNOWN));
    let in_coordinates = FIRST.replace("1. e4 e5 2. Nf3", "e2e4 e7e5 g1f3");
    assert_eq!(keep(&mut *append, &in_coordinates), (first, Added { text: true, ..KNOWN }));
    let (other, added) = keep(&mut *append, &FIRST.replace("Ben", "Cleo"));
    assert_eq!(added, Added { play: false, ..NEW });
    let (illegal, added) = keep(&mut *append, "1. e4 e5 2. Ke3 *");
    assert_eq!((added, counts(&*store)), (NEW, (3, 1, 4)));
    let related = |id| -> Vec<GameId> {
        store.related(id, 9, None).unwrap().into_iter().map(|summary| summary.id).collect()
    };
    assert_eq!((related(first), related(other), related(illegal)), (vec![other], vec![first], Vec::new()));
    let entry = store.entry(first, None).unwrap().unwrap();
    assert_eq!((entry.moves.join(" "), entry.arrivals.len()), ("e2e4 e7e5 g1f3".to_owned(), 2));
    assert_eq!((&*entry.summary.white, entry.summary.valid, entry.summary.plies), ("Réti", true, 3));
    // Stored records are there after reopening, and for readers that were open before.
    let (again, mut append_again) = open(path);
    assert_eq!(again.entry(first, None).unwrap().unwrap(), entry);
    assert_eq!(keep(&mut *append_again, FIRST), (first, KNOWN));
    assert_eq!(keep(&mut *append_again, &FIRST.replace("Ben", "Dora")).1, Added { play: false, ..NEW });
    assert_eq!((counts(&*store), counts(&*again)), ((4, 1, 5), (4, 1, 5)));
    is_whole(&*store);
}

fn writes_all_or_nothing(open: Open, path: &Path) {
    let (store, mut append) = open(path);
    keep(&mut *append, FIRST);
    let (more, one, same) = (judged("1. d4 *\n\n1. c4 *\n"), token("x", 1), token("x", 2));
    let writes = [Write::Keep(&more), Write::AddToken(&one), Write::AddToken(&same)];
    let exists = Err(ArchiveError::TokenExists("x".to_owned()));
    assert_eq!(append.append(&writes, Wait::Patiently).map(|_| ()), exists);
    assert_eq!((counts(&*store), store.has_tokens().unwrap()), ((1, 0, 1), false));
    is_whole(&*store);
    // No number assigned in the transaction is remembered.
    let written = append.append(&writes[..2], Wait::Patiently).unwrap().written;
    assert_eq!(written[0].added.iter().map(|(_, added)| added.text).collect::<Vec<_>>(), [true, true]);
    assert_eq!((counts(&*store), valid(&*store, &one)), ((3, 0, 3), Some("x".to_owned())));
    is_whole(&*store);
}

fn knows_tokens(open: Open, path: &Path) {
    let (store, mut append) = open(path);
    let (ann, ann_again, ben) = (token("ann", 1), token("ann", 2), token("ben", 3));
    let mut write = |write: Write<'_>| append.append(&[write], Wait::Patiently).map(|_| ());
    assert_eq!(write(Write::RevokeToken("ann")), Err(ArchiveError::TokenMissing("ann".to_owned())));
    assert_eq!((write(Write::AddToken(&ann)), write(Write::AddToken(&ben))), (Ok(()), Ok(())));
    assert_eq!(write(Write::AddToken(&ann_again)), Err(ArchiveError::TokenExists("ann".to_owned())));
    assert_eq!((write(Write::RevokeToken("ann")), write(Write::AddToken(&ann_again))), (Ok(()), Ok(())));
    let names = [&ann, &ann_again, &ben].map(|token| valid(&*store, token));
    assert_eq!(names, [None, Some("ann".to_owned()), Some("ben".to_owned())]);
    assert_eq!((write(Write::RevokeToken("ann")), write(Write::RevokeToken("ben"))), (Ok(()), Ok(())));
    assert!(store.has_tokens().unwrap(), "revoked tokens were made, too");
    let tokens = store.tokens().unwrap();
    assert_eq!(tokens.iter().map(|token| &*token.name).collect::<Vec<_>>(), ["ann", "ann", "ben"]);
    assert!(tokens.iter().all(|token| token.revoked.is_some()));
    // The name of a token is stored with a text.
    let submissions = judged(FIRST)
        .into_iter()
        .map(|one| one.submitted_with(Some(TokenId { name: "ben".into(), event: 1 })));
    let submissions: Vec<Submission> = submissions.collect();
    write(Write::Keep(&submissions)).unwrap();
    let (id, _) = store.would_add(&submissions[0], None).unwrap();
    let entry = store.entry(id.unwrap(), None).unwrap().unwrap();
    assert_eq!(entry.arrivals[0].token.as_deref(), Some("ben"));
    is_whole(&*store);
}

fn finds(open: Open, path: &Path) {
    let (store, mut append) = open(path);
    let (first, _) = keep(&mut *append, FIRST);
    let (second, _) = keep(&mut *append, "[White \"Anand, Viswanathan\"]\n[Date \"1984.??.??\"]\n\n1. d4 *");
    let (mate, _) =
        keep(&mut *append, "[Variant \"crazyhouse\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1");
    let (illegal, _) = keep(&mut *append, "[Site \"Linz\"]\n\n1. e4 e5 2. Ke3 *");
    let text = |text: &str| Some(text.to_owned());
    for (filter, expected) in [
        (Filter::default(), vec![illegal, mate, second, first]),
        (Filter { id: Some(second), ..Filter::default() }, vec![second]),
        (Filter { variant: text("crazyhouse"), ..Filter::default() }, vec![mate]),
        (Filter { player: text("reti"), ..Filter::default() }, vec![first]),
        (Filter { player: text("anand v"), ..Filter::default() }, vec![second]),
        (Filter { white: text("ben"), ..Filter::default() }, vec![]),
        (Filter { black: text("BEN"), event: text("club"), ..Filter::default() }, vec![first]),
        (Filter { site: text("linz"), ..Filter::default() }, vec![illegal]),
        (Filter { white: text("?"), ..Filter::default() }, vec![illegal, mate]),
        (Filter { from: text("1912"), to: text("1984"), ..Filter::default() }, vec![second, first]),
        (Filter { from: text("1912.04"), ..Filter::default() }, vec![second]),
        (Filter { result: text("0-1"), ..Filter::default() }, vec![mate]),
        (Filter { end: text("checkmate"), ..Filter::default() }, vec![mate]),
        (Filter { valid: Some(false), ..Filter::default() }, vec![illegal]),
        (Filter { moves: text("e2e4 e7e5 g1f3"), ..Filter::default() }, vec![first]),
        (Filter { moves: text("e2e4 e7e5"), ..Filter::default() }, vec![illegal, first]),
    ] {
        assert_eq!(found(&*store, &filter.criteria().unwrap()), expected, "{filter:?}");
    }
    // Page by page, by the numbers of the last ones.
    let page = store.find(&Criteria::default(), None, 3, None).unwrap();
    let rest = store.find(&Criteria::default(), Some(page[2].0), 3, None).unwrap();
    assert_eq!((page.len(), rest.len(), rest[0].1.id), (3, 1, first));
    let rules = store.rules(None).unwrap();
    assert_eq!(
        rules.iter().map(|(rules, games)| (&*rules.id.name, *games)).collect::<Vec<_>>(),
        [("chess", 3), ("crazyhouse", 1)]
    );
    assert!(store.definition(&rules[0].0, None).unwrap().unwrap().contains("chess"));
    let unknown = KeptRules { whole: "x".into(), ..rules[0].0.clone() };
    assert_eq!(store.definition(&unknown, None).unwrap(), None);
}

fn pages_texts(open: Open, path: &Path) {
    let (store, mut append) = open(path);
    let (first, _) = keep(&mut *append, FIRST);
    let (second, _) = keep(&mut *append, "1. d4 *");
    let other = FIRST.replace("Nf3", "Nf3 {again}");
    keep(&mut *append, &other);
    let texts = |wanted: &Criteria, which, after| {
        let page = store.texts(wanted, which, after, None).unwrap();
        page.into_iter().map(|(number, text)| (number, text.id, text.bytes().unwrap())).collect::<Vec<_>>()
    };
    let all = texts(&Criteria::default(), Which::All, 0);
    assert_eq!(all.iter().map(|(_, id, _)| *id).collect::<Vec<_>>(), [first, second, first]);
    assert_eq!([&all[0].2[..], &all[2].2[..]], [FIRST.as_bytes(), other.as_bytes()]);
    assert_eq!(texts(&Criteria::default(), Which::All, all[0].0), all[1..]);
    assert_eq!(texts(&Criteria::default(), Which::First, 0), all[..2]);
    assert_eq!(texts(&Criteria::of(first), Which::All, all[0].0), all[2..]);
    assert_eq!(texts(&Criteria::default(), Which::All, all[2].0), []);
}

fn copies(open: Open, open_existing: OpenExisting, path: &Path) {
    let (store, mut append) = open(path);
    let (id, _) = keep(&mut *append, FIRST);
    let to = path.with_extension("copy");
    store.copy(&to).unwrap();
    keep(&mut *append, "1. d4 *");
    let copy = open_existing(&to);
    assert_eq!((counts(&*copy), counts(&*store)), ((1, 0, 1), (2, 0, 2)));
    assert_eq!(copy.entry(id, None).unwrap(), store.entry(id, None).unwrap());
    is_whole(&*copy);
    assert!(matches!(store.copy(&to), Err(ArchiveError::CannotOpen { .. })));
}

fn is_limited(open: Open, path: &Path) {
    let (store, mut append) = open(path);
    let (id, _) = keep(&mut *append, FIRST);
    let budget = Budget::unlimited();
    let all = |limit: Limit<'_>| {
        let (every, rules) = (Criteria::default(), store.rules(None).unwrap().remove(0).0);
        [
            store.counts(limit).map(|_| ()),
            store.entry(id, limit).map(|_| ()),
            store.find(&every, None, 9, limit).map(|_| ()),
            store.related(id, 9, limit).map(|_| ()),
            store.texts(&every, Which::All, 0, limit).map(|_| ()),
            store.rules(limit).map(|_| ()),
            store.definition(&rules, limit).map(|_| ()),
        ]
    };
    assert!(all(Some(&budget)).iter().all(Result::is_ok));
    budget.cancel();
    assert!(all(Some(&budget)).iter().all(|result| *result == Err(ArchiveError::TooMuchWork)));
    assert!(all(None).iter().all(Result::is_ok));
}
