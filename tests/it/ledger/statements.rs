//! Every statement that stands in the server's source as a constant is one that a fresh database takes: a slip in a statement
//! that is seldom run is found here, and not on the day when it is.

use std::collections::BTreeMap;
use std::path::Path;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqlSafeStr, SqliteConnection};
use tollgate_tests::binary::run_json;
use tollgate_tests::postgres::Postgres;

/// How a statement begins.
const VERBS: [&str; 6] = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH ", "SELECT\n"];
/// What only a ledger on a server is asked.
const SERVER: [&str; 14] = [
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
    "SERVERS_UP",
    "SILENT_ARE_GONE",
    "HEARD_OF",
    "DATABASE_NOW",
];
/// What only a ledger in a file is asked.
const FILE: [&str; 2] = ["LAST_HOLD", "HAS_OLD"];
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

/// `name!` with one rule, whose parameters are literals.
#[derive(Debug, Clone)]
struct Macro {
    parameters: Vec<String>,
    body: TokenStream,
}

type Macros = BTreeMap<String, Macro>;

/// What is read out of a file.
#[derive(Default)]
struct Reader {
    path: String,
    macros: Macros,
    found: Vec<Statement>,
    /// The constants that `SqlText::of` is given, for one database alone.
    alone: BTreeMap<String, For>,
}

impl Reader {
    /// With the macros that other files give it.
    fn of(path: &str, text: &str, given: &Macros) -> Self {
        let mut reader = Self { path: path.to_owned(), macros: given.clone(), ..Self::default() };
        let trees = trees_in(path, text);
        reader.macros.extend(defined(&trees));
        let on = match path {
            // A file has no months that are tables.
            _ if path.contains("postgres") || path.ends_with("credit/src/sql/months.rs") => For::Postgres,
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
                    match (self.text(whole), self.expanded(name, group)) {
                        (Some(text), _) => self.keep(tree, constant.clone(), text, on),
                        // What is put together there is not to be read here.
                        (None, _) if name == "format" => {}
                        (None, Some(body)) => self.walk(&body.into_iter().collect::<Vec<_>>(), on),
                        (None, None) => self.walk(&trees_of(group), on),
                    }
                    at += 2;
                }
                (TokenTree::Ident(name), [_, _, TokenTree::Ident(of), TokenTree::Group(pair), ..])
                    if name == "SqlText" && of == "of" =>
                {
                    self.pair(pair, constant.as_deref());
                    at += 4;
                }
                (
                    TokenTree::Ident(name),
                    [TokenTree::Punct(_), TokenTree::Punct(_), TokenTree::Ident(_), TokenTree::Group(fields), ..],
                ) if name == "InsertTarget" => {
                    self.table(fields, constant.clone());
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

    /// What a table of a file is written with, put together of where it goes and its columns.
    fn table(&mut self, fields: &Group, constant: Option<String>) {
        let field = |wanted: &str| {
            arguments(fields.stream()).into_iter().find_map(|one| {
                let mut trees = one.into_iter();
                let is_it = trees.next().is_some_and(|name| name.to_string() == wanted);
                is_it.then(|| self.text(trees.skip(1).collect())).flatten()
            })
        };
        if let (Some(into), Some(columns)) = (field("into"), field("columns")) {
            let values = vec!["NULL"; columns.split(',').count()].join(", ");
            let text = format!("{into} ({columns}) VALUES ({values})");
            self.keep(&fields.clone().into(), constant, text, For::Sqlite);
        }
    }

    fn keep(&mut self, at: &TokenTree, name: Option<String>, text: String, on: For) {
        if VERBS.iter().any(|verb| text.starts_with(verb)) {
            let on = match name.as_deref() {
                Some(name) if SERVER.contains(&name) => For::Postgres,
                Some(name) if FILE.contains(&name) => For::Sqlite,
                _ if text.contains("?1") => For::Sqlite,
                _ => on,
            };
            let place = format!("{}:{}", self.path, at.span().start().line);
            self.found.push(Statement { place, name, text, on });
        }
    }

    /// What stands in the place of `name!(…)`, where that is one of the macros that are known.
    fn expanded(&self, name: &Ident, given: &Group) -> Option<TokenStream> {
        let found = self.macros.get(&name.to_string())?;
        let given = arguments(given.stream());
        let pairs = found.parameters.iter().zip(&given);
        let fits = given.len() == found.parameters.len();
        fits.then(|| pairs.fold(found.body.clone(), |body, (parameter, given)| replaced(body, parameter, given)))
    }

    /// The text that an expression is, of literals, `concat!` and the macros that are known.
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
                self.text(self.expanded(name, group)?)
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

fn trees_in(path: &str, text: &str) -> Vec<TokenTree> {
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
    tokens.into_iter().collect()
}

/// The macros at the top of a file.
fn defined(trees: &[TokenTree]) -> Macros {
    let mut macros = Macros::new();
    for at in 0..trees.len() {
        let [TokenTree::Ident(word), _, TokenTree::Ident(name), TokenTree::Group(rules), ..] = &trees[at..] else {
            continue;
        };
        let rules = trees_of(rules);
        if word == "macro_rules"
            && let [TokenTree::Group(takes), _, _, TokenTree::Group(body), ..] = &rules[..]
            && let Some(parameters) = arguments(takes.stream()).into_iter().map(literal).collect::<Option<Vec<_>>>()
        {
            macros.insert(name.to_string(), Macro { parameters, body: body.stream() });
        }
    }
    macros
}

/// The name of a parameter that is a literal.
fn literal(parameter: TokenStream) -> Option<String> {
    match &parameter.into_iter().collect::<Vec<_>>()[..] {
        [TokenTree::Punct(_), TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Ident(kind)]
            if kind == "literal" =>
        {
            Some(name.to_string())
        }
        _ => None,
    }
}

/// Those that a file gives to others: `use {these, those}`.
fn given(trees: &[TokenTree]) -> Macros {
    let lists = trees.windows(2).filter_map(|pair| match pair {
        [TokenTree::Ident(word), TokenTree::Group(names)] if word == "use" => Some(trees_of(names)),
        _ => None,
    });
    let names: Vec<String> = lists.flatten().map(|name| name.to_string()).collect();
    let mut macros = defined(trees);
    macros.retain(|name, _| names.contains(name));
    macros
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
            TokenTree::Ident(name)
                if name == parameter && matches!(new.last(), Some(TokenTree::Punct(mark)) if mark.as_char() == '$') =>
            {
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

/// The files with statements, by what they are shown as, with their texts.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if name.ends_with(".rs") && !["tests.rs", "raw.rs"].contains(&name.as_str()) {
            let shown = path.strip_prefix(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).expect("below the root");
            found.push((shown.display().to_string(), std::fs::read_to_string(&path).expect("a text file")));
        }
    }
}

fn statements() -> Vec<Statement> {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/crates"), &mut files);
    let with_macros = files.iter().filter(|(_, text)| text.contains("macro_rules!"));
    let shared: Macros = with_macros.flat_map(|(path, text)| given(&trees_in(path, text))).collect();
    files.iter().flat_map(|(path, text)| Reader::of(path, text, &shared).found).collect()
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
    let found = statements();
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
    // Their tables are in a file of their own, which a server makes.
    sqlite
        .execute(include_str!("../../../server/crates/store/migrations/responses/0001_responses.sql"))
        .await
        .expect("tables");
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
