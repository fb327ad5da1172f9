//! Bulletins: games as a page for paper.

use crate::program::ferz;

/// What programs write into comments is for programs; what an annotator draws is drawn; each event has its table.
#[test]
fn a_bulletin_is_for_readers_on_paper() {
    let text = "[Event \"Cup\"]\n[Round \"1\"]\n[White \"Ann\"]\n[Black \"Ben\"]\n[Result \"1-0\"]\n\n\
        1. e4! {[%clk 0:05:00] [%csl Ra4,Gb5] [%cal Gd1h5,Re2e4]} e5 {[%eval 0.3]} 2. d4 {good [%emt 0:00:03]} exd4?! 1-0\n\n\
        [Event \"Cup\"]\n[Round \"2\"]\n[White \"Ben\"]\n[Black \"Cleo\"]\n[Result \"1/2-1/2\"]\n\n1. d4 1/2-1/2\n\n\
        [Event \"Other\"]\n[White \"Ann\"]\n[Black \"Dora\"]\n[Result \"0-1\"]\n\n1. c4 0-1\n";
    let run = ferz(&["bulletin", "-"], text);
    assert_eq!(run.code, 0, "{}", run.err);
    let page = &run.out;
    assert!(page.contains("1. e4! e5 2. d4 {good} 2... exd4?! 1-0") && !page.contains("[%"), "{page}");
    // The position with the drawings, and three last ones.
    assert_eq!((page.matches("<svg ").count(), page.matches("class=\"ferz-drawn\"").count()), (4, 1));
    assert!(page.contains("Drawn: red a4, green b5, green d1 to h5, red e2 to e4."), "{page}");
    let drawn = &page[page.find("class=\"ferz-drawn\"").unwrap()..];
    let drawn = &drawn[..drawn.find("</g>").unwrap()];
    assert_eq!((drawn.matches("<circle").count(), drawn.matches("<path").count()), (2, 4));
    // Told apart without colours.
    assert!(drawn.contains("stroke-dasharray=\"none\"") && drawn.contains("stroke-dasharray=\"20 10\""));
    assert_eq!(page.matches("<table>").count(), 1);
    let row = "<td>1</td><td>Ann</td><td>2w1</td>";
    assert!(page.contains("<h2>Cup: table</h2>") && page.contains(row), "{page}");
    // An event that no page could hold has no table, and takes no time.
    let many: String = (0..400)
        .map(|n| format!("[Event \"Open\"]\n[White \"A{n}\"]\n[Black \"B{n}\"]\n\n1. e4 *\n\n"))
        .collect();
    assert!(!ferz(&["bulletin", "-"], many).out.contains("<table>"));
}

#[test]
fn a_bulletin_has_moves_and_diagrams_of_every_game() {
    let text = "[White \"Ann <b>\"]\n[Black \"Ben\"]\n[Event \"Cup\"]\n\n1. e4 $220 e5 (1... c5 $220) 2. Nf3 $221 *\n\n\
        [Variant \"ichess\"]\n\n1. R=a1 R=a1 *\n";
    let run = ferz(&["bulletin", "--title", "Round 1 & 2", "-"], text);
    assert_eq!(run.code, 1, "{}", run.err);
    let page = &run.out;
    assert!(
        page.contains("<h1>Round 1 &amp; 2</h1>") && page.contains("<h2>Ann &lt;b&gt; – Ben</h2>"),
        "{page}"
    );
    assert_eq!(page.matches("<svg ").count(), 3);
    for part in [
        "<figcaption>After ply 1<",
        "<figcaption>Final position, after ply 3<",
        "<h2>Game 2</h2>",
        "Ply 2, R=a1, is illegal: ",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(page.contains("1. e4 e5 (1... c5) 2. Nf3 *") && page.ends_with("</html>\n"), "{page}");
    let every = ferz(&["bulletin", "--every", "1", "-"], text);
    assert_eq!(every.out.matches("<svg ").count(), 4);
    let json = ferz(&["convert", "--to", "json", "-"], "1. e4 e5 *\n\n1. d4 *\n").out;
    let of_json = ferz(&["bulletin", "-"], &json);
    assert_eq!((of_json.code, of_json.out.matches("<h2>").count()), (0, 2), "{}", of_json.err);
}
