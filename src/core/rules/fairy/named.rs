//! Games of Fairy-Stockfish that a definition says, under the names that they have there. Their definitions are made
//! when they are asked for.

use super::import;

/// The games, by name, each with its title.
pub(in crate::rules) const NAMED: [(&str, &str); 33] = [
    ("nocastle", "Chess without castling"),
    ("torpedo", "Torpedo Chess"),
    ("ai-wok", "Ai-Wok"),
    ("amazon", "Amazon Chess"),
    ("georgian", "Georgian Chess"),
    ("nightrider", "Nightrider Chess"),
    ("grasshopper", "Grasshopper Chess"),
    ("hoppelpoppel", "Hoppel-Poppel"),
    ("newzealand", "New Zealand Chess"),
    ("5check", "Five-check"),
    ("loop", "Loop Chess"),
    ("chessgi", "Chessgi"),
    ("pocketknight", "Pocket Knight"),
    ("placement", "Pre-Chess"),
    ("minishogi", "Minishogi"),
    ("gorogoro", "Gorogoro Shogi"),
    ("judkins", "Judkins Shogi"),
    ("losalamos", "Los Alamos Chess"),
    ("gardner", "Gardner's Minichess"),
    ("almost", "Almost Chess"),
    ("capahouse", "Capahouse"),
    ("gothic", "Gothic Chess"),
    ("embassy", "Embassy Chess"),
    ("janus", "Janus Chess"),
    ("modern", "Modern Chess"),
    ("chancellor", "Chancellor Chess"),
    ("centaur", "Centaur Chess"),
    ("courier", "Courier Chess"),
    ("grand", "Grand Chess"),
    ("shako", "Shako"),
    ("tencubed", "TenCubed Chess"),
    ("minixiangqi", "Minixiangqi"),
    ("manchu", "Manchu Chess"),
];

/// Other names of these games.
pub(in crate::rules) fn aliases(name: &str) -> &'static [&'static str] {
    match name {
        "placement" => &["prechess", "placement chess", "benko's pre-chess", "pal benko's pre-chess"],
        _ => &[],
    }
}

/// The definition of a game under its title.
pub(in crate::rules) fn named(name: &str, title: &str) -> Option<String> {
    let definition = import(&format!("[{name}:{name}]\n")).pop()?.definition.ok()?;
    let own = (format!("title = \"{name}\""), format!("title = \"{title}\""));
    let source = ("variants.ini of Fairy-Stockfish", "as Fairy-Stockfish plays it");
    Some(definition.replacen(&own.0, &own.1, 1).replacen(source.0, source.1, 1))
}
