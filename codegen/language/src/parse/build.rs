//! Events of the YAML parser to a tree.

use std::borrow::Cow;

use serde_yaml::granit_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, StrInput, options};

use super::{
    FileId, SourceSpan,
    open_nodes::{OpenCollection, OpenMapping, PendingKey},
    scalar,
    sources::SourceFile,
    tree::{YamlKey, YamlKind, YamlMapping, YamlNode, YamlPair},
};
use crate::diagnostics::{Diagnostic, DiagnosticLabel, codes::syntax};

/// One file as a tree.
#[derive(Debug)]
pub struct YamlTree<'s> {
    /// The id of the file.
    pub file: FileId,
    /// The value of the file; `None` for an empty one and one of which nothing could be read.
    pub root: Option<YamlNode<'s>>,
    /// The byte from which on it was not YAML any more.
    pub lost_from: Option<usize>,
}

/// Reads one file, as far as it is YAML, and adds what is wrong with it.
pub(super) fn build<'s>(id: FileId, source: &'s SourceFile, diagnostics: &mut Vec<Diagnostic>) -> YamlTree<'s> {
    let mut options = options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
    };
    options.set_emit_comments(false);
    let parser = Parser::new_from_str_with_options(&source.text, options);
    let mut builder = TreeBuilder { file: id, text: &source.text, frames: Vec::new(), root: None, diagnostics };
    let lost_from = builder.run(parser);
    YamlTree { file: id, root: builder.root, lost_from }
}

struct TreeBuilder<'s, 'd> {
    file: FileId,
    text: &'s str,
    frames: Vec<OpenCollection<'s>>,
    root: Option<YamlNode<'s>>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'s> TreeBuilder<'s, '_> {
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
            Event::SequenceStart(..) => self.frames.push(OpenCollection::List { start: place, items: Vec::new() }),
            Event::MappingStart(..) => {
                self.frames.push(OpenCollection::Mapping(OpenMapping::new(place)));
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(place, false),
            Event::Anchor(_, name) => {
                let message = format!("anchors are not in the language: `&{name}`");
                self.complain(Diagnostic::error(syntax::ANCHOR, place, message));
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.complain(Diagnostic::error(syntax::ANCHOR, place, "aliases are not in the language"));
                self.add(YamlNode { place, kind: YamlKind::Broken });
            }
            _ => {}
        }
    }

    fn scalar(&mut self, text: Cow<'s, str>, style: ScalarStyle, place: SourceSpan) {
        let plain = style == ScalarStyle::Plain;
        if let Some(OpenCollection::Mapping(OpenMapping { key: key @ None, .. })) = self.frames.last_mut() {
            *key = Some(PendingKey::Drop);
            self.key(text, plain, place);
            return;
        }
        let node = if plain {
            let (node, complaint) = scalar::plain(text, place);
            self.diagnostics.extend(complaint);
            node
        } else {
            YamlNode { place, kind: YamlKind::Word(text) }
        };
        self.add(node);
    }

    /// Settles the key of the innermost mapping.
    fn key(&mut self, text: Cow<'s, str>, plain: bool, place: SourceSpan) {
        if let Some(complaint) = plain.then(|| scalar::plain_key(&text, place)).flatten() {
            let dropped = text.is_empty() || text == "<<";
            self.complain(complaint);
            if dropped {
                return;
            }
        }
        let Some(OpenCollection::Mapping(open)) = self.frames.last_mut() else { return };
        let Some(first) = open.find(&text) else {
            open.key = Some(PendingKey::Keep(YamlKey { text, place }));
            return;
        };
        if let Some(complaint) = open.again.and_then(|index| self.diagnostics.get_mut(index)) {
            // Several repeated keys are mostly one slip: the line is missing that names the next entry.
            complaint.secondary.push(DiagnosticLabel { place, text: "and this one".to_owned() });
            complaint.notes = vec!["is a line missing that names the entry which these keys belong to?".to_owned()];
        } else {
            open.again = Some(self.diagnostics.len());
            self.diagnostics.push(
                Diagnostic::error(syntax::DUPLICATE_KEY, place, format!("the key `{text}` is there twice"))
                    .label("the second one")
                    .and(first, "the first one is here"),
            );
        }
        open.key = Some(PendingKey::Again(YamlKey { text, place }));
    }

    /// Puts a finished value where it belongs.
    fn add(&mut self, value: YamlNode<'s>) {
        match self.frames.last_mut() {
            None => self.root = Some(value),
            Some(OpenCollection::List { items, .. }) => items.push(value),
            Some(OpenCollection::Mapping(OpenMapping { mapping, key, .. })) => match key.take() {
                Some(PendingKey::Keep(key)) => mapping.pairs.push(YamlPair { key, value }),
                Some(PendingKey::Again(key)) => mapping.dropped.push(YamlPair { key, value }),
                Some(PendingKey::Drop) => {}
                None => {
                    *key = Some(PendingKey::Drop);
                    let message = format!("a key is a word, and this is {}", value.kind.name());
                    self.complain(Diagnostic::error(syntax::KEY_NOT_A_WORD, value.place, message));
                }
            },
        }
    }

    /// Closes the innermost list or mapping.
    fn close(&mut self, end: SourceSpan, unfinished: bool) {
        let (start, kind) = match self.frames.pop() {
            None => return,
            Some(OpenCollection::List { start, items }) => (start, YamlKind::List(items)),
            Some(OpenCollection::Mapping(OpenMapping { start, mapping, key, .. })) => {
                let pending = matches!(key, Some(PendingKey::Keep(_)));
                (start, YamlKind::Mapping(YamlMapping { unfinished: unfinished || pending, ..mapping }))
            }
        };
        // An indented block ends where the next line begins: what lies between is not part of it.
        let inside = self.text.get(start.start as usize..end.end as usize).unwrap_or_default();
        let place = SourceSpan { end: start.start + narrow(inside.trim_end().len()), ..start };
        self.add(YamlNode { place, kind });
    }

    /// The text is not YAML from here on: keeps what was read.
    fn stop(&mut self, error: &ScanError) -> usize {
        let mut at = self.point(error.marker());
        if error.info().contains("tab") {
            at = self.next_tab(at);
        }
        self.complain(Diagnostic::error(syntax::NOT_YAML, at, format!("this is not YAML: {}", error.info())));
        if let Some(OpenCollection::Mapping(OpenMapping { mapping, .. })) = self.frames.last_mut() {
            // A slip of the indent closes more than was meant: what was read last may not have been at its end.
            mapping.pairs.last_mut().into_iter().for_each(|pair| cut_short(&mut pair.value));
        }
        while !self.frames.is_empty() {
            self.close(at, true);
        }
        at.start as usize
    }

    /// The parser names the word before a tab; people look for the tab.
    fn next_tab(&self, at: SourceSpan) -> SourceSpan {
        let rest = self.text.get(at.start as usize..).unwrap_or_default();
        let Some(before) = rest.split_once('\t').map(|(before, _)| before) else { return at };
        let line = before.rfind('\n').map(|end| &before[end + 1..]);
        let (lines, column) = (before.matches('\n').count(), line.unwrap_or(before).chars().count());
        let start = at.start + narrow(before.len());
        let column = narrow(column) + if line.is_some() { 1 } else { at.column };
        SourceSpan { start, end: start + 1, line: at.line + narrow(lines), column, ..at }
    }

    fn complain(&mut self, complaint: Diagnostic) {
        self.diagnostics.push(complaint);
    }

    fn place(&self, span: Span) -> SourceSpan {
        let start = self.point(&span.start);
        let end = span.end.byte_offset().map_or(start.start, narrow);
        let inside = self.text.get(start.start as usize..end as usize).unwrap_or_default();
        SourceSpan { end: start.start + narrow(inside.trim_end().len()), ..start }
    }

    fn point(&self, marker: &Marker) -> SourceSpan {
        let start = narrow(marker.byte_offset().unwrap_or(0).min(self.text.len()));
        SourceSpan { file: self.file, start, end: start, line: narrow(marker.line()), column: narrow(marker.col() + 1) }
    }
}

/// Marks a mapping and the last one in it, and so on.
fn cut_short(node: &mut YamlNode<'_>) {
    let mut next = Some(node);
    while let Some(YamlNode { kind: YamlKind::Mapping(mapping), .. }) = next {
        mapping.unfinished = true;
        next = mapping.pairs.last_mut().map(|pair| &mut pair.value);
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
