//! The words of the rulebook.

/// The rulebook, `formats/RULES.md`.
pub const RULEBOOK: &str = include_str!("../formats/RULES.md");

/// The words of an article or a ruling; `None` if the rulebook does not have it.
///
/// ```
/// use ferz_core::rules::article;
/// assert_eq!(article("FIDE 5.1.1").as_deref(), Some("Checkmate by a legal move wins, and the game is over at once."));
/// assert_eq!(article("FIDE 99"), None);
/// ```
pub fn article(id: &str) -> Option<String> {
    let start = format!("- **{id}** ");
    let mut lines = RULEBOOK.lines().skip_while(|line| !line.starts_with(&start));
    let mut words = lines.next()?[start.len()..].to_owned();
    // Continued lines are indented.
    for line in lines.take_while(|line| line.starts_with("  ")) {
        words.push(' ');
        words.push_str(line.trim());
    }
    Some(words)
}
