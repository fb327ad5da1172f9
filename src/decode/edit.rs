//! The least cost of a text as a spelling that it may have been meant to be: an edit distance with costs.

use crate::costs::Bits;

/// The most characters of a text, and symbols of a spelling, that are compared.
pub(crate) const LENGTH_MAX: usize = 31;

/// What the comparison asks for, by places in the text and in the spelling.
pub(crate) trait Compared {
    /// The cost of a character in the place of a symbol.
    fn replaced(&self, character: usize, symbol: usize) -> Bits;
    /// The cost of a character that is not in the spelling.
    fn inserted(&self, character: usize) -> Bits;
    /// The cost of leaving out a symbol.
    fn dropped(&self, symbol: usize) -> Bits;
    /// The cost of two neighbours in the wrong order.
    fn swapped(&self) -> Bits;
}

/// The least cost; [`Bits::MAX`] if it exceeds `limit`.
pub(crate) fn distance(compared: &impl Compared, characters: usize, symbols: usize, limit: Bits) -> Bits {
    if characters > LENGTH_MAX || symbols > LENGTH_MAX {
        return Bits::MAX;
    }
    let mut rows = [[Bits::ZERO; LENGTH_MAX + 1]; 3];
    for symbol in 0..symbols {
        rows[0][symbol + 1] = rows[0][symbol] + compared.dropped(symbol);
    }
    for character in 0..characters {
        let (now, last, before) = (1 + character, character, character.wrapping_sub(1));
        let inserted = compared.inserted(character);
        let mut row = [Bits::ZERO; LENGTH_MAX + 1];
        row[0] = rows[last % 3][0] + inserted;
        let mut least = row[0];
        for symbol in 0..symbols {
            let replaced = rows[last % 3][symbol] + compared.replaced(character, symbol);
            let inserted = rows[last % 3][symbol + 1] + inserted;
            let dropped = row[symbol] + compared.dropped(symbol);
            let mut cost = replaced.min(inserted).min(dropped);
            if character > 0
                && symbol > 0
                && compared.replaced(character, symbol - 1) == Bits::ZERO
                && compared.replaced(character - 1, symbol) == Bits::ZERO
            {
                cost = cost.min(rows[before % 3][symbol - 1] + compared.swapped());
            }
            row[symbol + 1] = cost;
            least = least.min(cost);
        }
        if least > limit {
            return Bits::MAX;
        }
        rows[now % 3] = row;
    }
    let cost = rows[characters % 3][symbols];
    if cost > limit { Bits::MAX } else { cost }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Plain<'a>(&'a [u8], &'a [u8]);

    impl Compared for Plain<'_> {
        fn replaced(&self, character: usize, symbol: usize) -> Bits {
            Bits::whole(u32::from(self.0[character] != self.1[symbol]))
        }

        fn inserted(&self, _: usize) -> Bits {
            Bits::whole(1)
        }

        fn dropped(&self, _: usize) -> Bits {
            Bits::whole(1)
        }

        fn swapped(&self) -> Bits {
            Bits::whole(1)
        }
    }

    fn plain(a: &str, b: &str, limit: u32) -> Bits {
        distance(&Plain(a.as_bytes(), b.as_bytes()), a.len(), b.len(), Bits::whole(limit))
    }

    #[test]
    fn one_slip_costs_one() {
        for (a, b, cost) in
            [("Nf3", "Nf3", 0), ("Nf8", "Nf3", 1), ("N3f", "Nf3", 1), ("Nf", "Nf3", 1), ("", "Nf3", 3)]
        {
            assert_eq!(plain(a, b, 9), Bits::whole(cost), "{a} {b}");
        }
        assert_eq!(plain("xyz", "Nf3", 2), Bits::MAX);
    }

    proptest! {
        #[test]
        fn the_distance_is_one_both_ways(a in "[a-c1-3]{0,8}", b in "[a-c1-3]{0,8}") {
            let there = plain(&a, &b, 20);
            prop_assert_eq!(there, plain(&b, &a, 20));
            prop_assert_eq!(there == Bits::ZERO, a == b);
        }
    }
}
