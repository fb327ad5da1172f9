use super::*;

mod errors;
mod laws;
mod meaning;

/// The squares of an 8x8 board that the movement reaches from e4 for White, sorted; other pieces are on `pieces`.
/// `capture` asks for targets among `pieces`, otherwise for vacant ones.
fn reach(text: &str, pieces: &str, capture: bool) -> String {
    let movement = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let occupied: Vec<(i8, i8)> = pieces.split_whitespace().map(square).collect();
    let mut found: Vec<(i8, i8)> =
        movement.movers().iter().flat_map(|m| targets(m, &occupied, capture)).collect();
    found.sort();
    found.dedup();
    let names: Vec<String> =
        found.iter().map(|&(x, y)| format!("{}{}", (b'a' + x as u8) as char, y + 1)).collect();
    names.join(" ")
}

fn square(name: &str) -> (i8, i8) {
    let bytes = name.as_bytes();
    ((bytes[0] - b'a') as i8, (bytes[1] - b'1') as i8)
}

/// A slow implementation of the documentation of `Path`, square by square.
fn targets(m: &Mover, occupied: &[(i8, i8)], capture: bool) -> Vec<(i8, i8)> {
    let is_piece = |at: &(i8, i8)| occupied.contains(at);
    let mut found = Vec::new();
    let (mut at, mut steps, mut jumped) = ((4, 3), 0, 0);
    loop {
        let between = m.between().iter().map(|d| (at.0 + d.0, at.1 + d.1)).filter(is_piece).count();
        at = (at.0 + m.dx, at.1 + m.dy);
        steps += 1;
        if !(0..8).contains(&at.0) || !(0..8).contains(&at.1) || steps > i32::from(m.range) {
            return found;
        }
        let lands = match m.path {
            Path::Ride => true,
            Path::Lame if between > 0 => return found,
            Path::Lame => true,
            Path::Jump if m.is_rider() => steps >= 2,
            Path::Jump => between == 1,
            Path::Cannon | Path::Grasshopper => jumped == 1,
        };
        if lands
            && steps >= i32::from(m.min)
            && is_piece(&at) == capture
            && (if capture { m.captures } else { m.moves })
        {
            found.push(at);
        }
        let hops = matches!(m.path, Path::Cannon | Path::Grasshopper);
        let passes = (m.path == Path::Jump && m.is_rider() && steps == 1) || (hops && jumped == 0);
        if (m.path == Path::Grasshopper && jumped == 1) || (is_piece(&at) && !passes) {
            return found;
        }
        jumped += i32::from(hops && is_piece(&at));
    }
}
