//! Movement in Betza's notation, as far as the definitions that are covered use it.

/// A direction or a leap of a piece, seen from White.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mover {
    pub dx: i32,
    pub dy: i32,
    /// How often it may be repeated; 0 for any number.
    pub range: u32,
    pub moves: bool,
    pub captures: bool,
    /// A leap that a piece on the way blocks: one orthogonal step, then diagonal ones.
    pub lame: bool,
    /// A rider that goes on beyond exactly one piece.
    pub hops: bool,
}

/// Reads a movement.
///
/// # Errors
/// With what is not known here.
pub fn read(text: &str) -> Result<Vec<Mover>, String> {
    let mut movers = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
        let (modifiers, after) = rest.split_at(letters);
        if let Some((leap, behind)) = after.strip_prefix('(').and_then(|leap| leap.split_once(')')) {
            let (a, b) = leap.split_once(',').ok_or_else(|| format!("leap in `{text}`"))?;
            let number = |text: &str| text.parse::<i32>().map_err(|_| format!("leap in `{text}`"));
            let (a, b) = (number(a)?, number(b)?);
            movers.extend(element(modifiers, a, b, 1).ok_or_else(|| format!("`{modifiers}` in `{text}`"))?);
            rest = behind;
            continue;
        }
        let atom = after.chars().next().ok_or_else(|| format!("`{text}` ends without an atom"))?;
        let mut after = &after[1..];
        let mut range = 1;
        if after.starts_with(atom) && matches!(atom, 'W' | 'F' | 'N') {
            (range, after) = (0, &after[1..]);
        }
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            range = after[..digits].parse().map_err(|_| format!("range in `{text}`"))?;
            after = &after[digits..];
        }
        let atoms: &[(i32, i32, bool)] = match atom {
            'W' => &[(1, 0, false)],
            'F' => &[(1, 1, false)],
            'D' => &[(2, 0, false)],
            'A' => &[(2, 2, false)],
            'N' => &[(2, 1, false)],
            'C' => &[(3, 1, false)],
            'Z' => &[(3, 2, false)],
            'R' => &[(1, 0, true)],
            'B' => &[(1, 1, true)],
            'Q' => &[(1, 0, true), (1, 1, true)],
            'K' => &[(1, 0, false), (1, 1, false)],
            _ => return Err(format!("atom `{atom}` of `{text}`")),
        };
        for &(a, b, rides) in atoms {
            let range = if rides && range == 1 { 0 } else { range };
            movers
                .extend(element(modifiers, a, b, range).ok_or_else(|| format!("`{modifiers}` in `{text}`"))?);
        }
        rest = after;
    }
    Ok(movers)
}

/// The movers of an atom with modifiers; `None` for modifiers that are not known here.
fn element(modifiers: &str, a: i32, b: i32, range: u32) -> Option<Vec<Mover>> {
    let mut directions = String::new();
    let (mut only_moves, mut only_captures, mut lame, mut hops) = (false, false, false, false);
    for letter in modifiers.chars() {
        match letter {
            'm' => only_moves = true,
            'c' => only_captures = true,
            'n' => lame = true,
            'p' => hops = true,
            'f' | 'b' | 'l' | 'r' | 's' | 'v' => directions.push(letter),
            _ => return None,
        }
    }
    let (moves, captures) = match (only_moves, only_captures) {
        (false, false) => (true, true),
        other => other,
    };
    let mut all = Vec::new();
    for (x, y) in [(a, b), (b, a)] {
        for (dx, dy) in [(x, y), (-x, y), (x, -y), (-x, -y)] {
            if !all.contains(&(dx, dy)) {
                all.push((dx, dy));
            }
        }
    }
    let is_leap = a != b && b != 0;
    let kept: Vec<(i32, i32)> = match (directions.as_str(), is_leap) {
        ("", _) => all,
        ("ff", true) => all.into_iter().filter(|(dx, dy)| *dy > dx.abs()).collect(),
        // The four that go further up and down than aside, and the two that go back further aside.
        ("fb" | "bf", true) => all.into_iter().filter(|(dx, dy)| dy.abs() > dx.abs()).collect(),
        ("sb" | "bs", true) => all.into_iter().filter(|(dx, dy)| *dy < 0 && dx.abs() > dy.abs()).collect(),
        (_, true) => return None,
        (directions, false) => {
            let wanted = |&(dx, dy): &(i32, i32)| {
                directions.chars().any(|letter| match letter {
                    'f' => dy > 0 && (dx == 0 || a == b),
                    'b' => dy < 0 && (dx == 0 || a == b),
                    'l' => dx < 0 && dy == 0,
                    'r' => dx > 0 && dy == 0,
                    's' => dx != 0 && dy == 0,
                    'v' => dy != 0 && dx == 0,
                    _ => false,
                })
            };
            // `fl` and the like would be one quarter of a bishop.
            if a == b && !matches!(directions, "f" | "b") {
                return None;
            }
            all.into_iter().filter(wanted).collect()
        }
    };
    Some(kept.into_iter().map(|(dx, dy)| Mover { dx, dy, range, moves, captures, lame, hops }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        read(text).unwrap().len()
    }

    #[test]
    fn movers_are_those_of_the_notation() {
        assert_eq!(
            [count("K"), count("Q"), count("N"), count("ffN"), count("fR"), count("sW")],
            [8, 8, 8, 2, 1, 2]
        );
        let pawn = read("mfWcfF").unwrap();
        assert_eq!(pawn.iter().filter(|mover| mover.moves).count(), 1);
        assert_eq!(pawn.iter().filter(|mover| mover.captures).count(), 2);
        let cannon = read("mRcpR").unwrap();
        assert_eq!(cannon.iter().filter(|mover| mover.hops).count(), 4);
        assert_eq!([count("BffNsbN"), count("fbN"), count("RfbNFA")], [8, 4, 16]);
        assert!(read("xyz").is_err());
    }
}
