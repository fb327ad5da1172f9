//! Fills lines with words.

/// Puts words into lines of a given width. A word is kept back until it is known what is glued behind it.
pub(super) struct Layout<'o> {
    out: &'o mut String,
    width: usize,
    /// Characters on the current line.
    column: usize,
    /// The last word, not yet written.
    word: String,
    /// What goes in front of the next word.
    prefix: String,
}

impl<'o> Layout<'o> {
    pub(super) fn new(out: &'o mut String, width: usize) -> Layout<'o> {
        Layout { out, width, column: 0, word: String::new(), prefix: String::new() }
    }

    /// The next word. No line begins with one that starts with `%` or `[`: there it would mean something else.
    pub(super) fn word(&mut self, text: &str) {
        let glued = self.prefix.is_empty() && !self.word.is_empty() && text.starts_with(['%', '[']);
        if glued {
            self.word.push(' ');
        } else {
            self.flush();
            std::mem::swap(&mut self.word, &mut self.prefix);
        }
        self.word.push_str(text);
    }

    /// Goes in front of the next word without a blank.
    pub(super) fn open(&mut self, text: &str) {
        self.prefix.push_str(text);
    }

    /// Goes behind the last word without a blank; behind what waits for a word if something does.
    pub(super) fn close(&mut self, text: &str) {
        if !self.prefix.is_empty() {
            self.word("");
        }
        self.word.push_str(text);
    }

    /// A line of its own.
    pub(super) fn line(&mut self, text: &str) {
        self.end();
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Ends the current line, if something stands on it.
    pub(super) fn end(&mut self) {
        if !self.prefix.is_empty() {
            self.word("");
        }
        self.flush();
        if self.column > 0 {
            self.out.push('\n');
            self.column = 0;
        }
    }

    fn flush(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let chars = self.word.chars().count();
        if self.column > 0 && self.column + 1 + chars > self.width {
            self.out.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(&self.word);
        self.column += chars;
        self.word.clear();
    }
}
