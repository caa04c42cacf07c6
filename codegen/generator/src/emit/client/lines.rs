//! Text that grows by lines, with their depth.

/// Characters of a line of words.
const WIDTH: usize = 110;

/// True if a module of calls names a type of the spec: those of pages and files alone name none.
pub(super) fn names_types(text: &str) -> bool {
    text.split("types.").skip(1).any(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase()))
}

/// A text under way.
#[derive(Debug, Default)]
pub(super) struct IndentedLines {
    text: String,
    depth: usize,
    step: usize,
}

impl IndentedLines {
    pub(super) fn new(step: usize) -> Self {
        Self { step, ..Self::default() }
    }

    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            (0..self.depth * self.step).for_each(|_| self.text.push(' '));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// An empty line, except before the first line of a block.
    pub(super) fn gap(&mut self) {
        let ends = self.text.trim_end_matches('\n');
        if !ends.is_empty() && !ends.ends_with('{') && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Lines that belong to the one before.
    pub(super) fn within(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    /// True if a line has no more columns than these.
    pub(super) fn fits(&self, line: &str, columns: usize) -> bool {
        self.depth * self.step + line.chars().count() <= columns
    }

    /// `/** … */`
    pub(super) fn star_doc(&mut self, doc: &str) {
        let doc = doc.replace("*/", "*\\/");
        let lines = wrapped(&doc, WIDTH - self.depth * self.step - 3);
        match lines.as_slice() {
            [] => {}
            [one] => self.line(format!("/** {one} */")),
            many => {
                self.line("/**");
                many.iter().for_each(|line| self.line(format!(" * {line}").trim_end()));
                self.line(" */");
            }
        }
    }

    /// `"""…"""`
    pub(super) fn quoted_doc(&mut self, doc: &str) {
        let doc = doc.replace('\\', "\\\\").replace("\"\"\"", "'''");
        match wrapped(&doc, WIDTH - self.depth * self.step - 6).as_slice() {
            [] => {}
            [one] if !one.ends_with('"') => self.line(format!("\"\"\"{one}\"\"\"")),
            many => {
                self.line(format!("\"\"\"{}", many[0]));
                many[1..].iter().for_each(|line| self.line(line));
                self.line("\"\"\"");
            }
        }
    }

    /// Lines that each begin so.
    pub(super) fn marked_doc(&mut self, mark: &str, doc: &str) {
        for line in wrapped(doc, WIDTH - self.depth * self.step - mark.len() - 1) {
            self.line(format!("{mark} {line}").trim_end());
        }
    }

    pub(super) fn done(self) -> String {
        self.text
    }
}

/// The words of a text in lines; an empty line parts paragraphs.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.trim().split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let (mut line, mut columns) = (String::new(), 0);
        for word in paragraph.split_whitespace() {
            let more = word.chars().count();
            if columns > 0 && columns + 1 + more > width {
                lines.push(std::mem::take(&mut line));
                columns = 0;
            }
            if columns > 0 {
                line.push(' ');
                columns += 1;
            }
            line.push_str(word);
            columns += more;
        }
        lines.push(line);
    }
    lines
}

/// A text in quotes, as JSON, TypeScript, Python and Rust read it alike.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_lines() {
        assert_eq!(wrapped("one two\nthree", 7), ["one two", "three"]);
        assert_eq!(wrapped("one two", 6), ["one", "two"]);
        assert_eq!(wrapped("a wordwiderthanthat b", 5), ["a", "wordwiderthanthat", "b"]);
        // Letters are counted, not bytes.
        assert_eq!(wrapped("äö üß", 5), ["äö üß"]);
        assert_eq!(wrapped(" one\n\n\n\n two  three ", 20), ["one", "", "two three"]);
        assert!(wrapped(" \n\n ", 20).is_empty());
    }
}
