//! Sentences about the end of a game, and sentences that only look like one.

use crate::common::root;
use ferz::interchange::Wrapped;

/// The result of a short game between Lee and Khan with a sentence below the moves; empty if it has none.
fn result_with(sentence: &str) -> String {
    let text = format!("[White \"Lee\"]\n[Black \"Khan\"]\n\n1. e4 e5 2. Nf3 Nc6\n{sentence}\n");
    let wrapped = Wrapped::new(text.as_bytes(), 0);
    let record = wrapped.records(0).next().unwrap();
    record.result.map_or(String::new(), |result| result.as_str().to_owned())
}

fn lines(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("fixtures/words").join(name)).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// `endings.tsv` was written before the grammar, and has two sentences that it does not know.
#[test]
fn sentences_end_games_in_many_languages() {
    let all = lines("endings.tsv");
    let known = all.iter().filter(|line| {
        let (result, sentence) = line.split_once('\t').unwrap();
        let found = result_with(sentence);
        assert!(found.is_empty() || found == result, "{sentence}: {found}");
        found == result
    });
    let known = known.count();
    assert!(all.len() == 120 && known >= 117, "{known} of {}", all.len());
}

#[test]
fn offers_questions_and_negations_end_none() {
    for sentence in lines("others.txt") {
        assert_eq!(result_with(&sentence), "", "{sentence}");
    }
}
