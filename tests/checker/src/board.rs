//! The squares of a board, their names, and regions of them.

/// Squares as White sees them: true where a square belongs to the region.
pub type Region = Vec<bool>;

/// A board of files and ranks. Where it has four squares outside its corners, a frame stands around it, of which only
/// its own corners are squares.
#[derive(Clone, Copy)]
pub struct Board {
    /// With the frame.
    pub width: usize,
    pub height: usize,
    /// 1 with a frame.
    pub frame: usize,
    /// The number of White's back rank.
    pub first_rank: usize,
}

impl Board {
    pub fn new(files: usize, ranks: usize, corners: bool, first_rank: usize) -> Board {
        let frame = usize::from(corners);
        Board { width: files + 2 * frame, height: ranks + 2 * frame, frame, first_rank }
    }

    pub fn size(&self) -> usize {
        self.width * self.height
    }

    pub fn column(&self, square: usize) -> usize {
        square % self.width
    }

    pub fn row(&self, square: usize) -> usize {
        square / self.width
    }

    /// The row on which a player's pieces begin.
    pub fn home(&self, white: bool) -> usize {
        if white { self.frame } else { self.height - 1 - self.frame }
    }

    /// The corners beyond the board: `w1` to `w4`.
    pub fn corners(&self) -> [usize; 4] {
        [0, self.width - 1, self.size() - 1, self.size() - self.width]
    }

    /// True if a row and a column, counted from 0, are a square of the board.
    pub fn has(&self, column: i32, row: i32) -> bool {
        let inside = |at: i32, size: usize| at >= self.frame as i32 && at < size as i32 - self.frame as i32;
        inside(column, self.width) && inside(row, self.height)
            || self.frame > 0
                && (column == 0 || column == self.width as i32 - 1)
                && (row == 0 || row == self.height as i32 - 1)
    }

    /// The square at so many columns and rows from another, if it is on the board.
    pub fn beside(&self, square: usize, dx: i32, dy: i32) -> Option<usize> {
        let (column, row) = (self.column(square) as i32 + dx, self.row(square) as i32 + dy);
        self.has(column, row).then(|| row as usize * self.width + column as usize)
    }

    /// The same square as the other player sees it.
    pub fn mirrored(&self, square: usize) -> usize {
        (self.height - 1 - self.row(square)) * self.width + self.column(square)
    }

    pub fn name(&self, square: usize) -> String {
        if self.frame > 0
            && let Some(corner) = self.corners().iter().position(|corner| *corner == square)
        {
            return format!("w{}", corner + 1);
        }
        let file = (b'a' + (self.column(square) - self.frame) as u8) as char;
        format!("{file}{}", self.row(square) - self.frame + self.first_rank)
    }

    /// The square at the start of a text, and the bytes of its name.
    pub fn square(&self, text: &str) -> Option<(usize, usize)> {
        let first = text.bytes().next()?;
        let digits = text.get(1..)?.bytes().take_while(u8::is_ascii_digit).count();
        // A rank of two digits only where there is one.
        let most = if self.height - 2 * self.frame + self.first_rank > 10 { 2 } else { 1 };
        let digits = digits.min(most);
        let number: usize = text.get(1..1 + digits)?.parse().ok()?;
        if self.frame > 0 && first == b'w' {
            return Some((*self.corners().get(number.checked_sub(1)?)?, 2));
        }
        let column = usize::from(first.checked_sub(b'a')?) + self.frame;
        let row = number.checked_sub(self.first_rank)? + self.frame;
        let inside = column < self.width - self.frame && row < self.height - self.frame;
        inside.then_some((row * self.width + column, 1 + digits))
    }

    /// All squares of a text, one after another.
    pub fn squares(&self, text: &str) -> Vec<usize> {
        let mut rest = text.trim_start_matches(',');
        let mut found = Vec::new();
        while let Some((square, used)) = self.square(rest) {
            found.push(square);
            rest = rest[used..].trim_start_matches(',');
        }
        found
    }

    /// A region in words: `rank 8`, `rank 1-2 + file d`, `d1-f3`, `d4 e4`, `all`; empty for none.
    ///
    /// # Errors
    /// With a text that is not known here.
    pub fn region(&self, text: &str) -> Result<Region, String> {
        let mut region = vec![false; self.size()];
        for part in text.split('+').map(str::trim) {
            self.add(part, &mut region).ok_or_else(|| format!("region `{text}`"))?;
        }
        Ok(region)
    }

    fn add(&self, text: &str, region: &mut Region) -> Option<()> {
        if text == "all" {
            (0..self.size()).for_each(|square| region[square] = true);
            return Some(());
        }
        let bounds = |text: &str| {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            (first.to_owned(), last.to_owned())
        };
        if let Some(ranks) = text.strip_prefix("rank ") {
            let (first, last) = bounds(ranks);
            let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
            for (square, within) in region.iter_mut().enumerate() {
                let rank = (self.row(square) + self.first_rank).checked_sub(self.frame);
                *within |= rank.is_some_and(|rank| (first..=last).contains(&rank));
            }
            return Some(());
        }
        if let Some(files) = text.strip_prefix("file ") {
            let (first, last) = bounds(files);
            let column = |file: &str| Some(usize::from(file.bytes().next()? - b'a') + self.frame);
            let (first, last) = (column(&first)?, column(&last)?);
            for (square, within) in region.iter_mut().enumerate() {
                *within |= (first..=last).contains(&self.column(square));
            }
            return Some(());
        }
        for word in text.split_whitespace() {
            let (first, last) = bounds(word);
            let (first, last) = (self.square(&first)?.0, self.square(&last)?.0);
            for row in self.row(first)..=self.row(last) {
                (self.column(first)..=self.column(last))
                    .for_each(|column| region[row * self.width + column] = true);
            }
        }
        Some(())
    }
}
