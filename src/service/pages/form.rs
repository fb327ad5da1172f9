//! The form for checking records, and its choices.

use ferz::notation::Style;
use ferz::rules::Registry;
use ferz::rules::registry::Listing;
use std::collections::BTreeSet;

/// Games to choose from, under a label.
#[derive(Debug)]
pub struct Group {
    /// The label.
    pub label: String,
    /// Names and titles.
    pub options: Vec<(String, String)>,
}

/// The form with its values.
#[derive(Debug)]
pub struct Form<'a> {
    /// Its heading.
    pub title: &'a str,
    /// The text in the field for records.
    pub text: &'a str,
    /// The height of that field in lines.
    pub rows: usize,
    /// The games.
    pub variants: &'a [Group],
    /// The styles.
    pub styles: &'a [(&'static str, String)],
    /// The chosen game.
    pub variant: &'a str,
    /// The chosen style.
    pub style: &'a str,
    /// The limit on records.
    pub megabytes: usize,
}

/// The choices, built once.
#[derive(Debug)]
pub struct Choices {
    /// The games: without mutators first, then with each mutator.
    pub variants: Vec<Group>,
    /// The styles, each with an example.
    pub styles: Vec<(&'static str, String)>,
}

impl Choices {
    /// The games of a registry, and all styles.
    pub fn of(registry: &Registry) -> Choices {
        let listings = registry.list();
        let (mutators, games): (Vec<Listing>, Vec<Listing>) =
            listings.into_iter().partition(|listing| listing.mutator);
        let mut seen = BTreeSet::new();
        let games: Vec<(String, String)> = games
            .into_iter()
            .filter(|game| seen.insert(game.name.clone()))
            .map(|game| (game.name, game.title))
            .collect();
        let mut variants = Vec::new();
        for mutator in mutators {
            let prefix = mutator.name.trim_end_matches('…').to_owned();
            let over = games.iter().filter_map(|(name, _)| {
                let name = format!("{prefix}{name}");
                let (definition, _) = registry.definition(&name, &|_| None).ok()?;
                Some((name, definition.title))
            });
            variants.push(Group { label: mutator.title, options: over.collect() });
        }
        variants.insert(0, Group { label: "Games".to_owned(), options: games });
        let styles = Style::ALL.iter().map(|style| (style.name(), title(*style))).collect();
        Choices { variants, styles }
    }
}

/// A style's name with an example.
fn title(style: Style) -> String {
    format!("{} ({})", style.name(), style.example())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_games_and_mutated_ones_can_be_chosen() {
        let choices = Choices::of(Registry::built_in());
        assert_eq!(choices.variants[0].label, "Games");
        assert!(choices.variants[0].options.iter().any(|(name, _)| name == "ichess"));
        let chaos = choices.variants.iter().flat_map(|group| &group.options);
        assert!(chaos.clone().any(|(name, title)| name == "chaos+ichess" && title.contains("iChess")));
        // Every name in the list is known.
        for (name, _) in chaos {
            assert!(Registry::built_in().canonical_name(name).is_ok(), "{name}");
        }
        assert!(choices.styles.iter().all(|(name, _)| name.parse::<Style>().is_ok()));
    }
}
