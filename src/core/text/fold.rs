//! Folds names for comparison: without case and accents, word by word.

use super::distance;

/// The folded name: lower-case words without accents, each with one space before it.
///
/// `Réti, Richard` becomes ` reti richard`.
pub fn fold(name: &str) -> String {
    let mut folded = String::with_capacity(name.len() + 1);
    let mut inside = false;
    for letter in name.chars().flat_map(char::to_lowercase) {
        // Combining accents.
        if ('\u{300}'..='\u{36f}').contains(&letter) || letter == '\'' || letter == '’' {
            continue;
        }
        if !letter.is_alphanumeric() {
            inside = false;
            continue;
        }
        if !inside {
            folded.push(' ');
            inside = true;
        }
        match plain(letter) {
            Some(plain) => folded.push_str(plain),
            None => folded.push(letter),
        }
    }
    folded
}

/// The words of a search, each with the space before it as in a folded name.
pub fn words(search: &str) -> Vec<String> {
    fold(search).split_whitespace().map(|word| format!(" {word}")).collect()
}

/// True if two folded words may be one: they differ in at most one letter in four.
///
/// ```
/// use ferz_core::text::fold::is_near;
/// assert!(is_near("chigorin", "tchigorin") && !is_near("tal", "kan"));
/// ```
pub fn is_near(one: &str, other: &str) -> bool {
    let slips = one.chars().count().max(other.chars().count()) / 4;
    // Comparing letters is the dear part.
    one.len().abs_diff(other.len()) <= 4 * slips && distance(one, other) <= slips
}

/// True if two folded names may be one: each word of the shorter one is near a word of the other, or an initial of it.
///
/// ```
/// use ferz_core::text::fold::{fold, names_are_near};
/// let near = |one: &str, other: &str| names_are_near(&fold(one), &fold(other));
/// assert!(near("Tchigorin, M.", "Chigorin, Mikhail") && !near("Tal, Mikhail", "Kan, Ilia"));
/// ```
pub fn names_are_near(one: &str, other: &str) -> bool {
    let words = |name: &str| name.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (one, other) = (words(one), words(other));
    let (few, many) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    // An initial stands for a name; nothing is like anything.
    let fits = |word: &String| {
        let initial = |known: &String| known.starts_with(word.as_str()) && word.chars().count() == 1;
        let short = |known: &String| word.starts_with(known.as_str()) && known.chars().count() == 1;
        many.iter().any(|known| is_near(known, word) || initial(known) || short(known))
    };
    !few.is_empty() && few.iter().all(fits)
}

/// A lower-case letter of a European Latin alphabet without its accent, as people type it.
fn plain(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => "o",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'æ' => "ae",
        'œ' => "oe",
        'ß' => "ss",
        'þ' => "th",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fold_to_words() {
        for (name, folded) in [
            ("Anand, Viswanathan", " anand viswanathan"),
            ("Réti, Richard", " reti richard"),
            ("Re\u{301}ti", " reti"),
            ("OLŠANSKÝ  Bohumil", " olsansky bohumil"),
            ("Weiß", " weiss"),
            ("O'Kelly de Galway", " okelly de galway"),
            ("КАСПАРОВ", " каспаров"),
            ("?", ""),
            ("", ""),
        ] {
            assert_eq!(fold(name), folded, "{name}");
        }
    }

    #[test]
    fn a_search_has_words() {
        assert_eq!(words(" Anand,  V "), [" anand", " v"]);
        assert!(words("?").is_empty());
    }
}
