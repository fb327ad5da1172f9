//! The words of the rulebook.

/// A page of the rulebook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulePage {
    /// Its file under `formats/`.
    pub file: &'static str,
    /// Its text in Markdown.
    pub text: &'static str,
}

macro_rules! pages {
    ($($file:literal)*) => {
        [$(RulePage { file: $file, text: include_str!(concat!("../formats/", $file)) }),*]
    };
}

/// The rulebook: what holds for all games, then a page beside the definition of each game, or of games that have one
/// source.
pub const RULEBOOK: [RulePage; 22] = pages! {
    "RULES.md" "variants/chess.md" "variants/iago.md" "variants/ichess.md" "variants/ingols.md"
    "variants/augmented.md" "variants/chaos.md" "variants/capablanca.md" "variants/seirawan.md"
    "variants/crazyhouse.md" "variants/shatranj.md" "variants/chaturanga.md" "variants/makruk.md"
    "variants/antiking.md" "variants/magicians-deathmatch.md" "variants/lichess.md" "variants/shogi.md"
    "variants/xiangqi.md" "variants/janggi.md" "variants/knightmate.md" "variants/omega.md" "variants/bughouse.md"
};

impl RulePage {
    /// The ids that the page defines, each on a line `- **ID** …`, in its order.
    pub fn ids(self) -> impl Iterator<Item = &'static str> {
        self.text.lines().filter_map(|line| Some(line.strip_prefix("- **")?.split_once("**")?.0))
    }
}

/// The words of an article or a ruling; `None` if the rulebook does not have it.
///
/// ```
/// use ferz_core::rules::article;
/// assert_eq!(article("FIDE 5.1.1").as_deref(), Some("Checkmate by a legal move wins, and the game is over at once."));
/// assert_eq!(article("FIDE 99"), None);
/// ```
pub fn article(id: &str) -> Option<String> {
    let start = format!("- **{id}** ");
    let lines = RULEBOOK.into_iter().flat_map(|page| page.text.lines());
    let mut lines = lines.skip_while(|line| !line.starts_with(&start));
    let mut words = lines.next()?[start.len()..].to_owned();
    // Continued lines are indented.
    for line in lines.take_while(|line| line.starts_with("  ")) {
        words.push(' ');
        words.push_str(line.trim());
    }
    Some(words)
}
