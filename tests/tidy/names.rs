//! Every path that a file names, spelled out from the root of its crate: trees of `use` taken apart, `self` and `super`
//! followed, macros looked into. Read as tokens, so that comments and texts say nothing and no spelling hides a name.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::source::File;

/// A path and the line that it stands in, counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) line: usize,
    /// `crate` and the modules behind it, or an outside package and what is behind that. All of a module is `*`.
    pub(crate) path: Vec<String>,
}

/// The paths of more than one name in a file of a crate, and every package that it imports.
pub(crate) fn named(file: &File) -> Vec<Named> {
    let tokens: TokenStream = file.text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.path));
    let mut reader = Reader { module: module(&file.path), found: Vec::new() };
    reader.tokens(tokens);
    reader.found
}

/// The module that a file is: `server/src/a/b.rs` and `server/src/a/b/mod.rs` are `a::b`.
pub(crate) fn module(path: &str) -> Vec<String> {
    let inside = path.split_once("src/").map_or(path, |(_, inside)| inside).trim_end_matches(".rs");
    let names = inside.split('/').filter(|name| !matches!(*name, "mod" | "lib" | "main"));
    names.map(str::to_owned).collect()
}

struct Reader {
    module: Vec<String>,
    found: Vec<Named>,
}

impl Reader {
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at = self.one(&tokens, at);
        }
    }

    /// Reads what begins at `at`; gives the place behind it.
    fn one(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        match &tokens[at..] {
            [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Group(body), ..]
                if word == "mod" && body.delimiter() == Delimiter::Brace =>
            {
                self.module.push(name.to_string());
                self.tokens(body.stream());
                self.module.pop();
                at + 3
            }
            [TokenTree::Ident(word), rest @ ..] if word == "use" => {
                let end = rest.iter().position(|token| is(token, ';')).unwrap_or(rest.len());
                self.tree(&[], &rest[..end]);
                at + 1 + end
            }
            [TokenTree::Ident(first), ..] => {
                let (path, length) = chain(&tokens[at..]);
                // The paths of code that a macro makes are those of the crate that it is made for.
                if let ("quote" | "quote_spanned", [mark, TokenTree::Group(_), ..]) =
                    (path[path.len() - 1].as_str(), &tokens[at + length..])
                    && is(mark, '!')
                {
                    return at + length + 2;
                }
                if path.len() > 1 && !is_member(&tokens[..at]) {
                    self.record(first, path);
                }
                at + length
            }
            [TokenTree::Group(group), ..] => {
                self.tokens(group.stream());
                at + 1
            }
            _ => at + 1,
        }
    }

    /// The leaves of a tree of `use`, or of several with commas between them, behind `before`.
    fn tree(&mut self, before: &[String], tokens: &[TokenTree]) {
        for tokens in tokens.split(|token| is(token, ',')) {
            let tokens = match tokens {
                // In a macro's rule `$crate` is the crate; what stands for something else is seen where it is put in.
                [dollar, rest @ ..] if is(dollar, '$') => rest,
                tokens if is_colons(tokens) => &tokens[2..],
                tokens => tokens,
            };
            let (path, length) = chain(tokens);
            let path = [before, &path].concat();
            let rest = &tokens[length..];
            match if is_colons(rest) { &rest[2..] } else { rest } {
                [TokenTree::Group(group), ..] => self.tree(&path, &group.stream().into_iter().collect::<Vec<_>>()),
                [star, ..] if is(star, '*') => {
                    self.leaf(tokens, [path, vec!["*".to_owned()]].concat());
                }
                _ => self.leaf(tokens, path),
            }
        }
    }

    fn leaf(&mut self, tokens: &[TokenTree], path: Vec<String>) {
        // A comma before the closing brace leaves nothing behind it.
        if let (Some(token), false) = (tokens.first(), path.is_empty()) {
            self.found.push(Named { line: token.span().start().line, path: rooted(&self.module, path) });
        }
    }

    fn record(&mut self, first: &Ident, path: Vec<String>) {
        self.found.push(Named { line: first.span().start().line, path: rooted(&self.module, path) });
    }
}

/// A path that stands in `module`, spelled out from the root of the crate where it begins with `self` or `super`.
pub(crate) fn rooted(module: &[String], path: Vec<String>) -> Vec<String> {
    let supers = path.iter().take_while(|name| matches!(name.as_str(), "self" | "super")).count();
    if supers == 0 {
        return path.into_iter().filter(|name| name != "self").collect();
    }
    let up = path[..supers].iter().filter(|name| *name == "super").count();
    let above = &module[..module.len().saturating_sub(up)];
    let rest = path[supers..].iter().filter(|name| *name != "self");
    std::iter::once("crate".to_owned()).chain(above.iter().chain(rest).cloned()).collect()
}

/// Names with `::` between them, and how many tokens they are.
pub(crate) fn chain(tokens: &[TokenTree]) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    let mut at = 0;
    while let Some(TokenTree::Ident(name)) = tokens.get(at) {
        path.push(name.to_string());
        at += 1;
        if !(is_colons(&tokens[at..]) && matches!(tokens.get(at + 2), Some(TokenTree::Ident(_)))) {
            break;
        }
        at += 2;
    }
    (path, at)
}

/// Whether a member of a type comes next, as behind `<T as Trait>::`; not as in `-> ::package::Name`.
fn is_member(before: &[TokenTree]) -> bool {
    let [.., arrow, end, first, second] = before else { return false };
    is(end, '>') && is(first, ':') && is(second, ':') && !is(arrow, '-') && !is(arrow, '=')
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_colons(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [first, second, ..] if is(first, ':') && is(second, ':'))
}

#[test]
fn no_spelling_hides_a_name() {
    let text = r#"
//! crate::comment
use crate::{a, b::{self, c as d}, e::*};
use super::super::f; pub(crate) use self::g::{super_duper, h};
use ::sqlx; use {reqwest as r, rustls::x};
/// `crate::text`
fn i(j: &crate::k::L<super::m::N>) -> Vec<axum::O> {
    println!("{} crate::not", self.p + super::q::r::<toml::S>(crate::t!(clap::u)));
    <V as W>::toml::x;
}
mod inner { use super::super::y; macro_rules! z { () => { $crate::aa::ab; use $crate::ac; } } }
"#;
    let file = File { path: "server/src/room/deep/file.rs".to_owned(), text: text.to_owned() };
    let found: Vec<String> =
        named(&file).iter().map(|named| format!("{} {}", named.line, named.path.join("::"))).collect();
    let expected = "3 crate::a|3 crate::b|3 crate::b::c|3 crate::e::*|4 crate::room::f|\
        4 crate::room::deep::file::g::super_duper|4 crate::room::deep::file::g::h|5 sqlx|5 reqwest|5 rustls::x|\
        7 crate::k::L|7 crate::room::deep::m::N|7 axum::O|8 crate::room::deep::q::r|8 toml::S|8 crate::t|8 clap::u|\
        11 crate::room::deep::y|11 crate::aa::ab|11 crate::ac";
    assert_eq!(found, expected.split('|').collect::<Vec<_>>());
}
