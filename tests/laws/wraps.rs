//! Nothing between a tag and a result is lost: whatever any style writes, wrapped at any white space, quoted, or between
//! a greeting and a signature, is read back as the same tags, plies and result, in the same order.

use crate::common::BUILT_IN;
use crate::games::{exists, users_games};
use crate::pairs::{STACKED, converted, native_records, random_record, styles_of};
use crate::random::Random;
use crate::scaled;
use ferz::interchange::Wrapped;
use ferz::record::{GameResult, ItemKind, Record};

/// What a reader of records must not lose: the tags, the plies with their variations, the result.
#[derive(Debug, PartialEq, Eq)]
struct Substance {
    tags: Vec<(String, String)>,
    plies: Vec<String>,
    result: Option<GameResult>,
}

impl Substance {
    fn of(record: &Record<'_>) -> Substance {
        let tags = record.tags.iter();
        let tags = tags.map(|tag| (record.tag_name(tag).into_owned(), record.tag_value(tag).into_owned()));
        let items = record.items.iter();
        let plies = items.filter_map(|item| match item.kind {
            ItemKind::Move => Some(record.text(*item).split_whitespace().collect::<Vec<_>>().join(" ")),
            ItemKind::VariationStart { .. } => Some("(".to_owned()),
            ItemKind::VariationEnd { .. } => Some(")".to_owned()),
            _ => None,
        });
        Substance { tags: tags.collect(), plies: plies.collect(), result: record.result }
    }
}

/// The tag section of a record, and the words of its movetext; a comment is one word, and so is a tag or an escape line.
fn parts(text: &str) -> (&str, Vec<&str>) {
    let start = text.rfind("]\n\n").map_or(0, |at| at + 3);
    let (tags, movetext) = text.split_at(start);
    let mut words = Vec::new();
    let mut rest = movetext.trim_start();
    while !rest.is_empty() {
        let len = match rest.as_bytes()[0] {
            b'{' => rest.find('}').map_or(rest.len(), |end| end + 1),
            _ => rest.find(|char: char| char.is_whitespace() || char == '{').unwrap_or(rest.len()).max(1),
        };
        words.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    (tags, words)
}

/// Joins words by blanks, with a line end in place of a blank where a line would have more than `width` characters, and
/// in place of `often` of a hundred others.
fn wrapped(words: &[&str], width: usize, often: usize, random: &mut Random) -> String {
    let mut text = String::new();
    let mut line = 0;
    for word in words {
        let len = word.chars().count();
        let breaks = line + len + 1 > width || random.chance(often);
        if line > 0 {
            text.push(if breaks { '\n' } else { ' ' });
        }
        line = if breaks || line == 0 { len } else { line + 1 + len };
        text.push_str(word);
    }
    text
}

/// The same text in the ways in which it travels.
fn travelled(text: &str) -> [String; 4] {
    let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
    [
        text.to_owned(),
        quoted.clone(),
        format!("Hi Ann,\n\nhere it is:\n\n{text}\n\nBest wishes,\nBen\n-- \nBen Lee, 5 Park St.\n"),
        format!("On Monday Ann wrote:\n\n{quoted}\nIt's a fine game, I think.\n\nBen\n"),
    ]
}

/// Wraps what each style writes of a record in several ways; returns how many texts were read.
fn read_back(record: &str, styles: &[ferz::notation::Style], random: &mut Random) -> Result<usize, String> {
    let mut texts = 0;
    for &style in styles {
        let written = converted(record, None, style).text;
        let plain = ferz::record::read(written.as_bytes(), 0).next().ok_or("no record")?;
        let wanted = Substance::of(&plain);
        let (tags, words) = parts(&written);
        for (width, often) in [(20 + random.below(101), 0), (80, 10), (20, 50), (1, 0)] {
            let text = format!("{tags}{}\n", wrapped(&words, width, often, random));
            for mail in travelled(&text) {
                let wrapped = Wrapped::new(mail.as_bytes(), 0);
                let found: Vec<Substance> = wrapped.records(0).map(|record| Substance::of(&record)).collect();
                if found[..] != [wanted_in(&wanted)] {
                    let plain = String::from_utf8_lossy(wrapped.text()).into_owned();
                    return Err(format!("{style}: {wanted:?}\n{found:?}\n{mail}\nreads as\n{plain}"));
                }
                texts += 1;
            }
        }
    }
    Ok(texts)
}

fn wanted_in(wanted: &Substance) -> Substance {
    Substance { tags: wanted.tags.clone(), plies: wanted.plies.clone(), result: wanted.result }
}

#[test]
fn nothing_between_a_tag_and_a_result_is_lost() {
    let mutated =
        BUILT_IN.iter().flat_map(|game| [format!("chaos+{game}"), format!("misere+bareking+{game}")]);
    let all = BUILT_IN.iter().chain(&STACKED).map(|game| (*game).to_owned());
    let games: Vec<String> = all.chain(mutated.filter(|name| exists(name))).chain(users_games()).collect();
    let mut failures = Vec::new();
    let mut texts = 0;
    for game in games {
        let styles = styles_of(&game);
        let natives = native_records(&game);
        for (number, record) in
            (0..scaled(2) as u64).map(|number| random_record(&game, number)).chain(natives).enumerate()
        {
            let mut random = Random::new(&game, number as u64);
            match read_back(&record, &styles, &mut random) {
                Ok(read) => texts += read,
                Err(failure) => failures.push(format!("{game}: {failure}")),
            }
        }
    }
    assert!(failures.is_empty(), "{} of {texts}:\n{}", failures.len(), failures.join("\n\n"));
    assert!(texts > 50_000, "{texts}");
}
