//! Fills lines with words.

/// Fills lines of a given width with words. Holds each word back until it is known what is attached to it.
pub(super) struct Layout<'o> {
    out: &'o mut String,
    width: usize,
    /// Characters on the current line.
    column: usize,
    /// The last word, not written yet.
    word: String,
    /// The text to put before the next word.
    prefix: String,
}

impl<'o> Layout<'o> {
    pub(super) fn new(out: &'o mut String, width: usize) -> Layout<'o> {
        Layout { out, width, column: 0, word: String::new(), prefix: String::new() }
    }

    /// Adds a word. No line begins with one that starts with `%` or `[`: there it would mean something else.
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

    /// Attaches text to the front of the next word.
    pub(super) fn open(&mut self, text: &str) {
        self.prefix.push_str(text);
    }

    /// Attaches text to the end of the last word, or of the text that waits for a word.
    pub(super) fn close(&mut self, text: &str) {
        if !self.prefix.is_empty() {
            self.word("");
        }
        self.word.push_str(text);
    }

    /// Adds a line of its own.
    pub(super) fn line(&mut self, text: &str) {
        self.end();
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Ends the current line, if it is not empty.
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
