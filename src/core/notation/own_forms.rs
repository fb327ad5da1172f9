//! The names of pieces in the styles that only some games have.

use super::letters::Letters;
use super::style::Style;
use super::styles::form::ReadForm;
use crate::board::{ByOwner, Mask, Owner};
use crate::rules::definition::{OwnStyle, Tandem};
use crate::rules::{KindId, KindSet, Rules};

/// Characters of the pieces of each player.
type Characters = ByOwner<Vec<(char, KindId)>>;

/// The styles that a game has of its own, and what its pieces are called in them.
#[derive(Debug)]
pub(super) struct OwnForms {
    styles: Vec<OwnStyle>,
    /// What reads their forms.
    pub readers: Vec<ReadForm>,
    /// The kinds that are named by number where more than two are on a file.
    pub numbered: KindSet,
    wxf: Vec<(u8, KindId)>,
    chinese: Characters,
    gib: Characters,
    /// Longer names first.
    thai: Vec<(String, KindId)>,
}

impl OwnForms {
    /// The forms of a game; `None` if it has no style of its own.
    pub fn new<M: Mask>(rules: &Rules<M>) -> Option<Box<OwnForms>> {
        let styles = &rules.definition.styles;
        if styles.is_empty() {
            return None;
        }
        let mut forms = OwnForms {
            styles: styles.clone(),
            readers: Style::readers_for(&rules.definition),
            numbered: KindSet::EMPTY,
            wxf: Vec::new(),
            chinese: ByOwner::from_fn(|_| Vec::new()),
            gib: ByOwner::from_fn(|_| Vec::new()),
            thai: Vec::new(),
        };
        for kind in rules.all_kinds().kinds() {
            let Some(spelled) = rules.spelled(kind) else { continue };
            if spelled.tandem == Tandem::Number {
                forms.numbered.insert(kind);
            }
            forms.thai.extend(spelled.thai.iter().map(|name| (name.clone(), kind)));
            forms.wxf.extend(spelled.wxf.bytes().next().map(|letter| (letter, kind)));
            let named = [(OwnStyle::Chinese, &mut forms.chinese), (OwnStyle::Gib, &mut forms.gib)];
            for (style, characters) in named {
                for owner in Owner::REAL {
                    let own = spelled.characters_of(style, owner).chars();
                    characters[owner].extend(own.map(|char| (char, kind)));
                }
            }
        }
        forms.thai.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Some(Box::new(forms))
    }

    /// True if the game has a style.
    pub fn has(&self, style: OwnStyle) -> bool {
        self.styles.contains(&style)
    }

    /// The kinds that a letter in either case means in style `wxf`.
    pub fn wxf(&self, letters: &Letters, owner: Owner, letter: u8) -> KindSet {
        let letter = letter.to_ascii_uppercase();
        let own: KindSet =
            self.wxf.iter().filter(|(known, _)| *known == letter).map(|(_, kind)| *kind).collect();
        if own.is_empty() { letters.kinds(owner, letter) } else { own }
    }

    /// The kinds that a character means in style `chinese`.
    pub fn chinese(&self, owner: Owner, char: char) -> KindSet {
        meaning(&self.chinese, owner, char)
    }

    /// The kind of the Thai name at the start of a text, and the rest.
    pub fn thai_at<'t>(&self, text: &'t str) -> Option<(KindId, &'t str)> {
        self.thai.iter().find_map(|(name, kind)| Some((*kind, text.strip_prefix(name.as_str())?)))
    }

    /// The kinds that a character means in style `gib`.
    pub fn gib(&self, owner: Owner, char: char) -> KindSet {
        meaning(&self.gib, owner, char)
    }
}

fn meaning(characters: &Characters, owner: Owner, char: char) -> KindSet {
    characters[owner].iter().filter(|(known, _)| *known == char).map(|(_, kind)| *kind).collect()
}
