//! The names of pieces in the styles that only some games have.

use super::letters::Letters;
use crate::board::{ByOwner, Mask, Owner};
use crate::rules::definition::{OwnStyle, Tandem};
use crate::rules::{KindId, KindSet, Rules};

/// The styles that a game has of its own, and what its pieces are called in them.
#[derive(Debug)]
pub(super) struct OwnForms {
    pub has_ucci: bool,
    pub has_iccs: bool,
    pub has_wxf: bool,
    pub has_chinese: bool,
    /// The kinds that are named by number where more than two are on a file.
    pub numbered: KindSet,
    wxf: Vec<(u8, KindId)>,
    chinese: ByOwner<Vec<(char, KindId)>>,
}

impl OwnForms {
    /// The forms of a game; `None` if it has no style of its own.
    pub fn new<M: Mask>(rules: &Rules<M>) -> Option<Box<OwnForms>> {
        let styles = &rules.definition.styles;
        if styles.is_empty() {
            return None;
        }
        let mut forms = OwnForms {
            has_ucci: styles.contains(&OwnStyle::Ucci),
            has_iccs: styles.contains(&OwnStyle::Iccs),
            has_wxf: styles.contains(&OwnStyle::Wxf),
            has_chinese: styles.contains(&OwnStyle::Chinese),
            numbered: KindSet::EMPTY,
            wxf: Vec::new(),
            chinese: ByOwner::from_fn(|_| Vec::new()),
        };
        for kind in rules.all_kinds().kinds() {
            let Some(spelled) = rules.spelled(kind) else { continue };
            if spelled.tandem == Tandem::Number {
                forms.numbered.insert(kind);
            }
            forms.wxf.extend(spelled.wxf.bytes().next().map(|letter| (letter, kind)));
            for owner in Owner::REAL {
                forms.chinese[owner].extend(spelled.chinese_of(owner).chars().map(|char| (char, kind)));
            }
        }
        Some(Box::new(forms))
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
        self.chinese[owner].iter().filter(|(known, _)| *known == char).map(|(_, kind)| *kind).collect()
    }
}
