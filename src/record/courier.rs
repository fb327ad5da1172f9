//! Game Courier's plies, converted to accepted forms: `B c1-e3` is `Bc1-e3`.

/// The same ply in an accepted form; `None` if the token is not in Game Courier's format.
///
/// ```
/// # use ferz::record::courier;
/// assert_eq!(courier::plain(b"b f8-c5").as_deref(), Some("Bf8-c5"));
/// assert_eq!(courier::plain(b"c1-e3; H*c1").as_deref(), Some("c1e3h"));
/// assert_eq!(courier::plain(b"e7-e8; Q-e8").as_deref(), Some("e7e8q"));
/// assert_eq!(courier::plain(b"k e8-g8; h8-f8; E*h8").as_deref(), Some("O-O/Eh8"));
/// assert_eq!(courier::plain(b"K e1-c1; R a1-d1").as_deref(), Some("O-O-O"));
/// assert_eq!(courier::plain(b"Bc1-e3"), None);
/// ```
pub fn plain(token: &[u8]) -> Option<String> {
    if !is_joined(token) {
        return None;
    }
    let text = std::str::from_utf8(token).ok()?;
    let mut parts = text.split(';').map(str::trim);
    let first = parts.next()?;
    let (letter, step) = first.split_once([' ', '\t']).unwrap_or(("", first));
    let step = step.trim();
    let (from, to) = step.split_once('-')?;
    let joined: Vec<&str> = parts.map(without_letter).collect();
    match joined[..] {
        [] => Some(format!("{}{step}", letter.to_ascii_uppercase())),
        [one] => match one.split_once(['*', '-'])? {
            // The rook next to the king.
            (rook, _) if rook.len() > 1 => Some(castling(from, rook).to_owned()),
            (piece, _) => Some(format!("{from}{to}{}", piece.to_ascii_lowercase())),
        },
        [rook, gate] => {
            let (rook, _) = rook.split_once('-')?;
            let (piece, square) = gate.split_once('*')?;
            Some(format!("{}/{}{square}", castling(from, rook), piece.to_ascii_uppercase()))
        }
        _ => None,
    }
}

/// True for a token of several words: Game Courier writes them, no style of notation does.
pub fn is_joined(token: &[u8]) -> bool {
    token.iter().any(|byte| matches!(byte, b' ' | b';' | b'\t'))
}

/// `R h1-f1` without the rook's letter, which its square implies.
fn without_letter(part: &str) -> &str {
    part.rsplit_once([' ', '\t']).map_or(part, |(_, squares)| squares)
}

fn castling(king: &str, rook: &str) -> &'static str {
    if rook > king { "O-O" } else { "O-O-O" }
}
