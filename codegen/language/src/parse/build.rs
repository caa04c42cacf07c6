//! Events of the YAML parser to a tree.

use std::borrow::Cow;

use serde_yaml::granit_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, StrInput, options};

use super::{
    FileId, Place,
    frames::{Frame, Open, Slot},
    scalar,
    sources::SourceFile,
    tree::{Key, Kind, Mapping, Node, Pair},
};
use crate::diagnostics::{Diagnostic, Label, codes::syntax};

/// One file as a tree.
#[derive(Debug)]
pub struct Tree<'s> {
    /// The id of the file.
    pub file: FileId,
    /// The value of the file; `None` for an empty one and one of which nothing could be read.
    pub root: Option<Node<'s>>,
    /// The byte from which on it was not YAML any more.
    pub lost_from: Option<usize>,
}

/// Reads one file, as far as it is YAML, and adds what is wrong with it.
pub(super) fn build<'s>(id: FileId, source: &'s SourceFile, diagnostics: &mut Vec<Diagnostic>) -> Tree<'s> {
    let mut options = options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
    };
    options.set_emit_comments(false);
    let parser = Parser::new_from_str_with_options(&source.text, options);
    let mut builder = Builder { file: id, text: &source.text, frames: Vec::new(), root: None, diagnostics };
    let lost_from = builder.run(parser);
    Tree { file: id, root: builder.root, lost_from }
}

struct Builder<'s, 'd> {
    file: FileId,
    text: &'s str,
    frames: Vec<Frame<'s>>,
    root: Option<Node<'s>>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'s> Builder<'s, '_> {
    /// Takes all events; gives the byte from which on the text was lost, where it was.
    fn run(&mut self, parser: Parser<'s, StrInput<'s>>) -> Option<usize> {
        let mut documents = 0;
        for next in parser {
            let (event, span) = match next {
                Ok(next) => next,
                Err(error) => return Some(self.stop(&error)),
            };
            if let Event::DocumentStart(..) = event {
                documents += 1;
                if documents > 1 {
                    let place = self.place(span);
                    self.complain(Diagnostic::error(syntax::SECOND_DOCUMENT, place, "a second document begins here"));
                    return Some(place.start as usize);
                }
            }
            self.take(event, span);
        }
        None
    }

    fn take(&mut self, event: Event<'s>, span: Span) {
        if event.tag().is_some() {
            let place = self.place(span.tag_span().unwrap_or(span));
            self.complain(Diagnostic::error(syntax::TAG, place, "tags are not in the language"));
        }
        let place = self.place(span);
        match event {
            Event::Scalar(text, style, ..) => self.scalar(text, style, place),
            Event::SequenceStart(..) => self.frames.push(Frame::List { start: place, items: Vec::new() }),
            Event::MappingStart(..) => {
                self.frames.push(Frame::Mapping(Open::new(place)));
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(place, false),
            Event::Anchor(_, name) => {
                let message = format!("anchors are not in the language: `&{name}`");
                self.complain(Diagnostic::error(syntax::ANCHOR, place, message));
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.complain(Diagnostic::error(syntax::ANCHOR, place, "aliases are not in the language"));
                self.add(Node { place, kind: Kind::Broken });
            }
            _ => {}
        }
    }

    fn scalar(&mut self, text: Cow<'s, str>, style: ScalarStyle, place: Place) {
        let plain = style == ScalarStyle::Plain;
        if let Some(Frame::Mapping(Open { key: key @ None, .. })) = self.frames.last_mut() {
            *key = Some(Slot::Drop);
            self.key(text, plain, place);
            return;
        }
        let node = if plain {
            let (node, complaint) = scalar::plain(text, place);
            self.diagnostics.extend(complaint);
            node
        } else {
            Node { place, kind: Kind::Word(text) }
        };
        self.add(node);
    }

    /// Settles the key of the innermost mapping.
    fn key(&mut self, text: Cow<'s, str>, plain: bool, place: Place) {
        if let Some(complaint) = plain.then(|| scalar::plain_key(&text, place)).flatten() {
            let dropped = text.is_empty() || text == "<<";
            self.complain(complaint);
            if dropped {
                return;
            }
        }
        let Some(Frame::Mapping(open)) = self.frames.last_mut() else { return };
        let Some(first) = open.find(&text) else {
            open.key = Some(Slot::Keep(Key { text, place }));
            return;
        };
        if let Some(complaint) = open.again.and_then(|index| self.diagnostics.get_mut(index)) {
            // Several repeated keys are mostly one slip: the line is missing that names the next entry.
            complaint.secondary.push(Label { place, text: "and this one".to_owned() });
            complaint.notes = vec!["is a line missing that names the entry which these keys belong to?".to_owned()];
        } else {
            open.again = Some(self.diagnostics.len());
            self.diagnostics.push(
                Diagnostic::error(syntax::DUPLICATE_KEY, place, format!("the key `{text}` is there twice"))
                    .label("the second one")
                    .and(first, "the first one is here"),
            );
        }
        open.key = Some(Slot::Again(Key { text, place }));
    }

    /// Puts a finished value where it belongs.
    fn add(&mut self, value: Node<'s>) {
        match self.frames.last_mut() {
            None => self.root = Some(value),
            Some(Frame::List { items, .. }) => items.push(value),
            Some(Frame::Mapping(Open { mapping, key, .. })) => match key.take() {
                Some(Slot::Keep(key)) => mapping.pairs.push(Pair { key, value }),
                Some(Slot::Again(key)) => mapping.dropped.push(Pair { key, value }),
                Some(Slot::Drop) => {}
                None => {
                    *key = Some(Slot::Drop);
                    let message = format!("a key is a word, and this is {}", value.kind.name());
                    self.complain(Diagnostic::error(syntax::KEY_NOT_A_WORD, value.place, message));
                }
            },
        }
    }

    /// Closes the innermost list or mapping.
    fn close(&mut self, end: Place, unfinished: bool) {
        let (start, kind) = match self.frames.pop() {
            None => return,
            Some(Frame::List { start, items }) => (start, Kind::List(items)),
            Some(Frame::Mapping(Open { start, mapping, key, .. })) => {
                let pending = matches!(key, Some(Slot::Keep(_)));
                (start, Kind::Mapping(Mapping { unfinished: unfinished || pending, ..mapping }))
            }
        };
        // An indented block ends where the next line begins: what lies between is not part of it.
        let inside = self.text.get(start.start as usize..end.end as usize).unwrap_or_default();
        let place = Place { end: start.start + narrow(inside.trim_end().len()), ..start };
        self.add(Node { place, kind });
    }

    /// The text is not YAML from here on: keeps what was read.
    fn stop(&mut self, error: &ScanError) -> usize {
        let mut at = self.point(error.marker());
        if error.info().contains("tab") {
            at = self.next_tab(at);
        }
        self.complain(Diagnostic::error(syntax::NOT_YAML, at, format!("this is not YAML: {}", error.info())));
        if let Some(Frame::Mapping(Open { mapping, .. })) = self.frames.last_mut() {
            // A slip of the indent closes more than was meant: what was read last may not have been at its end.
            mapping.pairs.last_mut().into_iter().for_each(|pair| cut_short(&mut pair.value));
        }
        while !self.frames.is_empty() {
            self.close(at, true);
        }
        at.start as usize
    }

    /// The parser names the word before a tab; people look for the tab.
    fn next_tab(&self, at: Place) -> Place {
        let rest = self.text.get(at.start as usize..).unwrap_or_default();
        let Some(before) = rest.split_once('\t').map(|(before, _)| before) else { return at };
        let line = before.rfind('\n').map(|end| &before[end + 1..]);
        let (lines, column) = (before.matches('\n').count(), line.unwrap_or(before).chars().count());
        let start = at.start + narrow(before.len());
        let column = narrow(column) + if line.is_some() { 1 } else { at.column };
        Place { start, end: start + 1, line: at.line + narrow(lines), column, ..at }
    }

    fn complain(&mut self, complaint: Diagnostic) {
        self.diagnostics.push(complaint);
    }

    fn place(&self, span: Span) -> Place {
        let start = self.point(&span.start);
        let end = span.end.byte_offset().map_or(start.start, narrow);
        let inside = self.text.get(start.start as usize..end as usize).unwrap_or_default();
        Place { end: start.start + narrow(inside.trim_end().len()), ..start }
    }

    fn point(&self, marker: &Marker) -> Place {
        let start = narrow(marker.byte_offset().unwrap_or(0).min(self.text.len()));
        Place { file: self.file, start, end: start, line: narrow(marker.line()), column: narrow(marker.col() + 1) }
    }
}

/// Marks a mapping and the last one in it, and so on.
fn cut_short(node: &mut Node<'_>) {
    let mut next = Some(node);
    while let Some(Node { kind: Kind::Mapping(mapping), .. }) = next {
        mapping.unfinished = true;
        next = mapping.pairs.last_mut().map(|pair| &mut pair.value);
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
