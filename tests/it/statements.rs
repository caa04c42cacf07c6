//! Every statement that stands in the server's source as a constant is one that a fresh database takes: a slip in a statement
//! that is seldom run is found here, and not on the day when it is.

use std::collections::BTreeMap;
use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqlSafeStr, SqliteConnection};
use tollgate_tests::binary::run_json;
use tollgate_tests::postgres::Postgres;

/// How a statement begins.
const VERBS: [&str; 6] = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH ", "SELECT\n"];
/// What only a ledger on a server is asked.
const SERVER: [&str; 10] = [
    "TAKES",
    "COMMITS",
    "FOLLOWERS",
    "SILENT",
    "LOCK",
    "LOCK_FREE",
    "STILL_SILENT",
    "SEEN",
    "LOCK_ACCOUNTS",
    "MESSAGE",
];
/// A parameter whose kind PostgreSQL cannot tell by itself: the server says it with each.
const KIND_OF_PARAMETER: [&str; 2] = ["42P18", "42P08"];

/// For which database a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum For {
    Both,
    Sqlite,
    Postgres,
}

#[derive(Debug)]
struct Statement {
    place: String,
    /// The constant that it is in.
    name: Option<String>,
    text: String,
    on: For,
}

/// `name!` with one rule of at most one parameter.
#[derive(Debug, Clone)]
struct Macro {
    parameter: Option<String>,
    body: TokenStream,
}

/// What is read out of a file.
#[derive(Default)]
struct Reader {
    path: String,
    macros: BTreeMap<String, Macro>,
    found: Vec<Statement>,
    /// The constants that `Sql::of` is given, for one database alone.
    alone: BTreeMap<String, For>,
}

impl Reader {
    fn of(path: &str, text: &str) -> Self {
        let mut reader = Self { path: path.to_owned(), ..Self::default() };
        let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        reader.define(&trees);
        let on = match path {
            _ if path.contains("postgres") => For::Postgres,
            _ if path.contains("sqlite") => For::Sqlite,
            _ => For::Both,
        };
        reader.walk(&trees, on);
        for statement in &mut reader.found {
            if let Some(on) = statement.name.as_ref().and_then(|name| reader.alone.get(name)) {
                statement.on = *on;
            }
        }
        reader
    }

    /// Takes note of the macros at the top of a file.
    fn define(&mut self, trees: &[TokenTree]) {
        for at in 0..trees.len() {
            let [TokenTree::Ident(word), _, TokenTree::Ident(name), TokenTree::Group(rules), ..] = &trees[at..] else {
                continue;
            };
            let rules: Vec<TokenTree> = rules.stream().into_iter().collect();
            if word == "macro_rules"
                && let [TokenTree::Group(takes), _, _, TokenTree::Group(body), ..] = &rules[..]
            {
                let parameter = takes.stream().into_iter().find_map(|tree| match tree {
                    TokenTree::Ident(name) => Some(name.to_string()),
                    _ => None,
                });
                self.macros.insert(name.to_string(), Macro { parameter, body: body.stream() });
            }
        }
    }

    fn walk(&mut self, trees: &[TokenTree], on: For) {
        let (mut at, mut constant) = (0, None);
        while let Some(tree) = trees.get(at) {
            let rest = &trees[at + 1..];
            match (tree, rest) {
                // Tests say things wrong on purpose.
                (TokenTree::Group(attribute), _) if attribute.to_string().replace(' ', "") == "[cfg(test)]" => {
                    at += past_module(rest);
                }
                (TokenTree::Ident(word), [_, TokenTree::Ident(_), TokenTree::Group(_), ..])
                    if word == "macro_rules" =>
                {
                    at += 3;
                }
                (TokenTree::Ident(word), [TokenTree::Ident(name), ..]) if word == "const" => {
                    constant = Some(name.to_string());
                }
                (TokenTree::Punct(mark), _) if mark.as_char() == ';' => constant = None,
                (TokenTree::Ident(name), [TokenTree::Punct(mark), TokenTree::Group(group), ..])
                    if mark.as_char() == '!' =>
                {
                    let whole = [tree.clone(), rest[0].clone(), rest[1].clone()].into_iter().collect();
                    match self.text(whole) {
                        Some(text) => self.keep(tree, constant.clone(), text, on),
                        // What is put together there is not to be read here.
                        None if name == "format" => {}
                        None => self.walk(&trees_of(group), on),
                    }
                    at += 2;
                }
                (TokenTree::Ident(name), [_, _, TokenTree::Ident(of), TokenTree::Group(pair), ..])
                    if name == "Sql" && of == "of" =>
                {
                    self.pair(pair, constant.as_deref());
                    at += 4;
                }
                (TokenTree::Literal(_), _) => {
                    if let Some(text) = self.text(tree.clone().into()) {
                        self.keep(tree, constant.clone(), text, on);
                    }
                }
                (TokenTree::Group(group), _) => self.walk(&trees_of(group), on),
                _ => {}
            }
            at += 1;
        }
    }

    /// One text for each database.
    fn pair(&mut self, pair: &Group, constant: Option<&str>) {
        for (argument, on) in arguments(pair.stream()).into_iter().zip([For::Sqlite, For::Postgres]) {
            let trees: Vec<TokenTree> = argument.clone().into_iter().collect();
            if let [TokenTree::Ident(name)] = &trees[..] {
                self.alone.insert(name.to_string(), on);
            } else if let Some(text) = self.text(argument) {
                let name = constant.map(|name| format!("{name} for {on:?}"));
                self.keep(&trees[0], name, text, on);
            } else {
                self.walk(&trees, on);
            }
        }
    }

    fn keep(&mut self, at: &TokenTree, name: Option<String>, text: String, on: For) {
        if VERBS.iter().any(|verb| text.starts_with(verb)) {
            let on = match name.as_deref() {
                Some(name) if SERVER.contains(&name) => For::Postgres,
                _ if text.contains("?1") => For::Sqlite,
                _ => on,
            };
            let place = format!("{}:{}", self.path, at.span().start().line);
            self.found.push(Statement { place, name, text, on });
        }
    }

    /// The text that an expression is, of literals, `concat!` and the macros of its file.
    fn text(&self, expression: TokenStream) -> Option<String> {
        let trees: Vec<TokenTree> = expression.into_iter().collect();
        match &trees[..] {
            [TokenTree::Literal(literal)] => match syn::Lit::new(literal.clone()) {
                syn::Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            [TokenTree::Group(group)] if group.delimiter() == Delimiter::None => self.text(group.stream()),
            [TokenTree::Ident(name), TokenTree::Punct(mark), TokenTree::Group(group), ..] if mark.as_char() == '!' => {
                if name == "concat" {
                    return arguments(group.stream()).into_iter().map(|part| self.text(part)).collect();
                }
                let found = self.macros.get(&name.to_string())?;
                self.text(match &found.parameter {
                    Some(parameter) => replaced(found.body.clone(), parameter, &group.stream()),
                    None => found.body.clone(),
                })
            }
            _ => None,
        }
    }
}

/// How many trees a module takes that begins here, whoever may see it. None where it is none.
fn past_module(trees: &[TokenTree]) -> usize {
    let word = trees.iter().take(4).position(|tree| matches!(tree, TokenTree::Ident(word) if word == "mod"));
    word.filter(|word| matches!(trees.get(word + 2), Some(TokenTree::Group(_)))).map_or(0, |word| word + 3)
}

fn trees_of(group: &Group) -> Vec<TokenTree> {
    group.stream().into_iter().collect()
}

/// What stands between commas.
fn arguments(tokens: TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let parts = trees.split(|tree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ','));
    parts.filter(|part| !part.is_empty()).map(|part| part.iter().cloned().collect()).collect()
}

/// With the argument in the place of `$parameter`.
fn replaced(body: TokenStream, parameter: &str, argument: &TokenStream) -> TokenStream {
    let mut new = Vec::new();
    for tree in body {
        match tree {
            TokenTree::Ident(name) if name == parameter => {
                new.pop();
                new.push(TokenTree::Group(Group::new(Delimiter::None, argument.clone())));
            }
            TokenTree::Group(group) => {
                let inside = replaced(group.stream(), parameter, argument);
                new.push(TokenTree::Group(Group::new(group.delimiter(), inside)));
            }
            other => new.push(other),
        }
    }
    new.into_iter().collect()
}

fn statements(folder: &Path, found: &mut Vec<Statement>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            statements(&path, found);
        } else if name.ends_with(".rs") && !["tests.rs", "raw.rs"].contains(&name.as_str()) {
            let shown = path.strip_prefix(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).expect("below the root");
            let text = std::fs::read_to_string(&path).expect("a text file");
            found.append(&mut Reader::of(&shown.display().to_string(), &text).found);
        }
    }
}

/// A ledger as an operator's first command makes it.
fn ledger(folder: &Path, database: &str) {
    let config = folder.join("tollgate.toml");
    let data = folder.join("data");
    let text = format!("data_dir = {data:?}\n{database}\n[sandbox]\nenabled = true\n");
    std::fs::write(&config, text).expect("a file of ours");
    let (good, told) = run_json(&["--config", &config.display().to_string(), "account", "create", "first"]);
    assert!(good, "{told}");
}

#[tokio::test]
async fn every_constant_is_prepared_on_a_fresh_database() {
    let mut found = Vec::new();
    statements(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/src"), &mut found);
    assert!(found.len() > 200, "{} statements are read", found.len());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().to_owned();
    let url = tokio::task::spawn_blocking(move || {
        let url = Postgres::shared().database();
        ledger(&path, "");
        ledger(&path, &format!("[database]\nurl = {url:?}\n"));
        url
    });
    let url = url.await.expect("both are there");
    let file = format!("sqlite://{}", folder.path().join("data/sandbox.db").display());
    let mut sqlite = SqliteConnection::connect(&file).await.expect("the file");
    let mut postgres = PgConnection::connect(&url).await.expect("the server");
    postgres.execute("SET search_path = tollgate_sandbox").await.expect("a schema");
    let mut wrong = Vec::new();
    for Statement { place, name, text, on } in &found {
        let sql = || AssertSqlSafe(text.as_str()).into_sql_str();
        let mut told = Vec::new();
        if *on != For::Postgres
            && let Err(error) = (&mut sqlite).prepare(sql()).await
        {
            told.push(error.to_string());
        }
        if *on != For::Sqlite
            && let Err(error) = (&mut postgres).prepare(sql()).await
        {
            let code =
                error.as_database_error().and_then(sqlx::error::DatabaseError::code).unwrap_or_default().into_owned();
            if !KIND_OF_PARAMETER.contains(&code.as_str()) {
                told.push(format!("{code} {error}"));
            }
        }
        if !told.is_empty() {
            wrong.push(format!("{place}: {on:?} {name:?} {told:?}\n    {text}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), found.len(), wrong.join("\n"));
}
