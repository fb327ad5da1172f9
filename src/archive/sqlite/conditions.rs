//! Criteria as SQL conditions.

use crate::filter::{Criteria, Name, Numbers, Role};
use rusqlite::types::Value;

/// The entries that continue the unfinished game of an entry, the longest first: the same players in the same round of
/// the same event, all of them known, with the same plies and more. Of many, the 64 with the most plies are compared.
pub(super) const LONGER: &str = "SELECT later.id FROM game AS later JOIN play AS longer ON longer.number = later.play \
    WHERE game.result = '*' AND game.valid = 1 \
    AND NOT EXISTS (SELECT 1 FROM name WHERE text = '?' AND number IN (game.white, game.black, game.event)) \
    AND later.number IN (SELECT alike.number FROM game AS alike INDEXED BY game_by_pairing \
        WHERE alike.white = game.white AND alike.black = game.black AND alike.event = game.event \
        AND alike.round = game.round AND alike.plies > game.plies ORDER BY alike.plies DESC LIMIT 64) \
    AND longer.rules = play.rules AND longer.start = play.start \
    AND substr(longer.moves, 1, length(play.moves) + 1) = play.moves || ' ' \
    AND NOT EXISTS (SELECT 1 FROM forgotten WHERE forgotten.game = later.number) \
    AND NOT EXISTS (SELECT 1 FROM hidden AS withdrawn WHERE withdrawn.game = later.number) \
    ORDER BY later.plies DESC, later.number DESC";

/// Conditions with the values of their placeholders.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    all: Vec<String>,
    pub(super) values: Vec<Value>,
}

impl Conditions {
    /// Criteria as conditions on the tables `game` and `play`. Forgotten entries meet none.
    pub(super) fn of(wanted: &Criteria) -> Conditions {
        let Criteria { id, variant, names, from, to, result, valid, ends, moves, withdrawn, .. } = wanted;
        let mut conditions = Conditions::default();
        let text = |text: &str| Value::Text(text.to_owned());
        if let Some(id) = id {
            conditions.add("game.id = ?", [Value::Blob(id.0.to_vec())]);
        }
        if let Some(variant) = variant {
            conditions.add("game.variant = ?", [text(variant)]);
        }
        for (role, name) in names {
            conditions.name(*role, name);
        }
        if let Some(from) = from {
            conditions.add("game.day >= ?", [Value::Integer(*from)]);
        }
        if let Some(to) = to {
            conditions.add("game.day <= ?", [Value::Integer(*to)]);
        }
        if let Some(result) = result {
            conditions.add("game.result = ?", [text(result)]);
        }
        if let Some(valid) = valid {
            conditions.add("game.valid = ?", [Value::Integer(i64::from(*valid))]);
        }
        if !ends.is_empty() {
            let marks = vec!["?"; ends.len()].join(", ");
            conditions.add(&format!("game.ending IN ({marks})"), ends.iter().map(|end| text(end)));
        }
        if let Some(begin) = moves {
            conditions.add("substr(play.moves || ' ', 1, length(?)) = ?", [text(begin), text(begin)]);
        }
        if let Some(withdrawn) = withdrawn {
            let not = if *withdrawn { "" } else { "NOT " };
            let exists = "EXISTS (SELECT 1 FROM hidden WHERE hidden.game = game.number)";
            conditions.add(&format!("{not}{exists}"), []);
        }
        if let Some(continued) = wanted.continued {
            let not = if continued { "" } else { "NOT " };
            conditions.add(&format!("{not}EXISTS ({LONGER})"), []);
        }
        match &wanted.numbers {
            Some(Numbers::Within(first, last)) => {
                let bounds = [first, last].map(|number| Value::Integer(*number));
                conditions.add("game.number BETWEEN ? AND ?", bounds);
            }
            Some(Numbers::Among(numbers)) => {
                // One text of SQL for any number of them, so that the statement is prepared once.
                let list = Value::Text(format!("{numbers:?}"));
                conditions.add("game.number IN (SELECT value FROM json_each(?))", [list]);
            }
            None => {}
        }
        conditions.add("game.number NOT IN (SELECT game FROM forgotten)", []);
        conditions
    }

    /// Adds a condition.
    pub(super) fn add(&mut self, condition: &str, values: impl IntoIterator<Item = Value>) {
        self.all.push(condition.to_owned());
        self.values.extend(values);
    }

    /// All conditions as text after `WHERE`.
    pub(super) fn text(&self) -> String {
        self.all.join(" AND ")
    }

    fn name(&mut self, role: Role, name: &Name) {
        let columns = match role {
            Role::Player => &["game.white", "game.black", "game.nature"][..],
            Role::White => &["game.white"],
            Role::Black => &["game.black"],
            Role::Event => &["game.event"],
            Role::Site => &["game.site"],
        };
        let (test, values) = match name {
            Name::Whole(name) => ("text = ?".to_owned(), std::slice::from_ref(name)),
            Name::Words(words) => (vec!["instr(folded, ?) > 0"; words.len()].join(" AND "), &words[..]),
        };
        let one = |column: &&str| format!("{column} IN (SELECT number FROM name WHERE {test})");
        self.all.push(format!("({})", columns.iter().map(one).collect::<Vec<_>>().join(" OR ")));
        for _ in columns {
            self.values.extend(values.iter().cloned().map(Value::Text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, GameId};

    #[test]
    fn there_is_a_value_for_each_question_mark() {
        for (name, date) in [("", "1984"), ("?", "1984.??.??"), ("a b c", "1984.05")] {
            let (name, date) = (Some(name.to_owned()), Some(date.to_owned()));
            let all = Filter {
                id: Some(GameId([0; 16])),
                variant: name.clone(),
                player: name.clone(),
                white: name.clone(),
                black: name.clone(),
                event: name.clone(),
                site: name,
                from: date.clone(),
                to: date,
                result: Some("1/2-1/2".into()),
                valid: Some(true),
                end: Some("draw".into()),
                moves: Some("e2e4 ~N@c5".into()),
                withdrawn: Some(false),
                continued: Some(false),
            };
            let mut criteria = all.criteria().unwrap();
            criteria.numbers = Some(Numbers::Among(vec![9, 7]));
            let conditions = Conditions::of(&criteria);
            // The name of those who are unknown is no placeholder.
            let text = conditions.text().replace("'?'", "");
            assert_eq!(text.matches('?').count(), conditions.values.len());
        }
        assert_eq!(Conditions::of(&Criteria::default()).values, []);
    }
}
