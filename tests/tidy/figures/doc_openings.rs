//! Docs that open with a riddle: an indirect question, or a pointer to what was said elsewhere.

use syn::visit::Visit;
use syn::{AttrStyle, Attribute, Expr, Lit, Meta};

use super::figure::{Figure, Measurement, Offender, Unit, share};
use super::sources::{Group, SourceFile};

const RIDDLE_DOCS: Figure = Figure {
    key: "riddle_docs_percent",
    unit: Unit::Percent,
    goal: 30,
    advice: "open the doc with a noun phrase or a statement: what it is, unit, range",
};

/// Words that open an indirect question ("What came of it.", "Whose they are.", "When it ends."). `Whether …` on a `bool` is most
/// of the 0.7 to 2.1 percent that well-kept servers in Rust have of these, and so is within the goal.
const QUESTION_WORDS: [&str; 11] =
    ["How", "What", "When", "Where", "Whether", "Which", "Who", "Whoever", "Whom", "Whose", "Why"];

/// Openings that say no more than that something was said elsewhere ("Likewise, for a minute.", "Those of a key."). Such
/// servers have none.
const POINTERS: [&str; 4] = ["As", "Likewise", "The same", "Those"];

/// The docs of a group that open with a riddle.
pub(super) fn measure(group: Group, sources: &[&SourceFile]) -> Measurement {
    let openings: Vec<Offender> = sources.iter().flat_map(|source| openings(source)).collect();
    let whole = openings.len();
    let offenders: Vec<Offender> = openings.into_iter().filter(|opening| is_riddle(&opening.what)).collect();
    Measurement { group: group.key(), figure: &RIDDLE_DOCS, value: share(offenders.len(), whole), offenders }
}

fn is_riddle(line: &str) -> bool {
    let opens_with = |words: &&str| {
        let rest = line.strip_prefix(words);
        rest.is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '-'))
    };
    let asks_openly = line.contains('?');
    (QUESTION_WORDS.iter().any(opens_with) && !asks_openly) || POINTERS.iter().any(opens_with)
}

/// The first line of each doc on an item, a member or a variant.
fn openings(source: &SourceFile) -> Vec<Offender> {
    let mut visitor = Openings { path: &source.file.path, line_before: 0, found: Vec::new() };
    visitor.visit_file(&source.syntax);
    visitor.found
}

struct Openings<'s> {
    path: &'s str,
    /// The last line that was part of a doc.
    line_before: usize,
    found: Vec<Offender>,
}

impl<'ast> Visit<'ast> for Openings<'_> {
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let (Some(text), AttrStyle::Outer) = (doc_text(attribute), attribute.style) else { return };
        let line = attribute.pound_token.span.start().line;
        if line != self.line_before + 1 {
            self.found.push(Offender { path: self.path.to_owned(), line, what: text.trim().to_owned() });
        }
        self.line_before = line;
    }

    fn visit_block(&mut self, _: &'ast syn::Block) {}
}

/// The text of a line of a doc.
pub(super) fn doc_text(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

#[test]
fn riddles_are_counted() {
    let text = "\
//! What a file holds is not counted.

/// What came of it.
/// Whose it is.
pub enum Outcome {
    /// Likewise.
    Paid,
    /// The order is closed.
    Closed {
        /// Which.
        a: u8,
    },
}
/// The sum of all charges.
struct Sum {
    /// Whatsoever.
    a: u8,
    /// What is a sum? See there.
    b: u8,
    /// The same in cents.
    c: u8,
}
impl Sum {
    /// Asset-wise.
    fn f() {
        /// How.
        struct Inner;
    }
}
";
    let sources = super::sources::sample(&[("a.rs", text)]);
    let measured = measure(Group::Server, &sources.iter().collect::<Vec<_>>());
    let places: Vec<usize> = measured.offenders.iter().map(|offender| offender.line).collect();
    assert_eq!((places, measured.value), (vec![3, 6, 10, 20], share(4, 9)));
}
