//! The grammar of `machine!`, as lists of words with their places. Nothing is looked up here.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, LitStr, Path, Token, braced, bracketed};

use crate::complaints::meant;

pub(super) enum MachineItem {
    Machine(MachineSyntax),
    View(ViewSyntax),
}

/// `machine name, spec: …, row: {…}, states: {…}, start: …, final: […], actors: {…}, guards: {…}, effects: {…},
/// moves: {…}`.
pub(super) struct MachineSyntax {
    pub(super) docs: Vec<Attribute>,
    pub(super) name: Ident,
    pub(super) spec: LitStr,
    pub(super) row: RowSyntax,
    pub(super) states: Vec<NamedText>,
    pub(super) starts: Vec<Ident>,
    pub(super) finals: Vec<Ident>,
    pub(super) actors: Vec<NamedText>,
    pub(super) guards: Vec<GuardSyntax>,
    pub(super) effects: Vec<EffectSyntax>,
    pub(super) moves: Vec<MoveSyntax>,
}

/// `view name of path, spec: …, states: {…}, base: {…}, moves: {…}`.
pub(super) struct ViewSyntax {
    pub(super) docs: Vec<Attribute>,
    pub(super) name: Ident,
    pub(super) of: Path,
    pub(super) spec: LitStr,
    pub(super) states: Vec<NamedText>,
    /// Each state of the base machine with the view's state, or `none`.
    pub(super) base: Vec<(Ident, Ident)>,
    pub(super) moves: Vec<MoveSyntax>,
}

/// `{ table: "…", key: "…", state: "…", revision: "…" }`.
pub(super) struct RowSyntax {
    pub(super) table: LitStr,
    pub(super) key: LitStr,
    pub(super) state: LitStr,
    pub(super) revision: Option<LitStr>,
}

/// `Pending = "pending"`.
pub(super) struct NamedText {
    pub(super) docs: Vec<Attribute>,
    pub(super) ident: Ident,
    pub(super) text: LitStr,
}

/// `WithinValidity = "within_validity": sql "expires_at > :now"`, or `: proof SettlementReceipt`.
pub(super) struct GuardSyntax {
    pub(super) named: NamedText,
    pub(super) test: GuardTest,
}

pub(super) enum GuardTest {
    Sql(LitStr),
    Proof(Ident),
}

/// `CreditBalance = "credit_balance": "in transaction, once per order"`.
pub(super) struct EffectSyntax {
    pub(super) named: NamedText,
    pub(super) about: LitStr,
}

/// `Succeed = "succeed" { from: […], to: …, by: […], when: […], does: […], spec: "…" }`.
pub(super) struct MoveSyntax {
    pub(super) named: NamedText,
    pub(super) from: Option<Vec<Ident>>,
    pub(super) to: Option<Ident>,
    pub(super) by: Option<Vec<ActorWord>>,
    pub(super) when: Vec<Ident>,
    pub(super) does: Vec<Ident>,
    pub(super) spec: Option<LitStr>,
}

/// An actor: the name of one, or in a view the text of an operation.
pub(super) enum ActorWord {
    Name(Ident),
    Text(LitStr),
}

impl Parse for MachineItem {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let docs = input.call(Attribute::parse_outer)?;
        let expected = "`machine!` starts with `machine name,` or `view name of path,`";
        let word = input.call(Ident::parse_any).map_err(|error| syn::Error::new(error.span(), expected))?;
        match word.to_string().as_str() {
            "machine" => machine(docs, input).map(Self::Machine),
            "view" => view(docs, input).map(Self::View),
            other => Err(syn::Error::new(word.span(), format!("{expected}, not `{other}`"))),
        }
    }
}

fn machine(docs: Vec<Attribute>, input: ParseStream<'_>) -> syn::Result<MachineSyntax> {
    let name = input.call(Ident::parse_any)?;
    input.parse::<Token![,]>()?;
    Ok(MachineSyntax {
        docs,
        name,
        spec: section(input, "spec", <LitStr as Parse>::parse)?,
        row: section(input, "row", RowSyntax::parse)?,
        states: section(input, "states", in_braces)?,
        starts: section(input, "start", one_or_list)?,
        finals: section(input, "final", in_brackets)?,
        actors: section(input, "actors", in_braces)?,
        guards: optional_section(input, "guards", in_braces)?.unwrap_or_default(),
        effects: optional_section(input, "effects", in_braces)?.unwrap_or_default(),
        moves: last_section(input, "moves")?,
    })
}

fn view(docs: Vec<Attribute>, input: ParseStream<'_>) -> syn::Result<ViewSyntax> {
    let name = input.call(Ident::parse_any)?;
    word(input, "of")?;
    let of = input.call(Path::parse_mod_style)?;
    input.parse::<Token![,]>()?;
    Ok(ViewSyntax {
        docs,
        name,
        of,
        spec: section(input, "spec", <LitStr as Parse>::parse)?,
        states: section(input, "states", in_braces)?,
        base: section(input, "base", |input| {
            Ok(in_braces::<NamePair>(input)?.into_iter().map(|NamePair(from, to)| (from, to)).collect())
        })?,
        moves: last_section(input, "moves")?,
    })
}

/// `name: <value>,`; the comma may be missing at the end.
fn section<T>(
    input: ParseStream<'_>,
    name: &str,
    value: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<T> {
    word(input, name)?;
    input.parse::<Token![:]>()?;
    let value = value(input)?;
    if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    Ok(value)
}

fn optional_section<T>(
    input: ParseStream<'_>,
    name: &str,
    value: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Option<T>> {
    let found = input.fork().call(Ident::parse_any).is_ok_and(|word| word == name);
    if found { section(input, name, value).map(Some) } else { Ok(None) }
}

fn last_section<T: Parse>(input: ParseStream<'_>, name: &str) -> syn::Result<Vec<T>> {
    let value = section(input, name, in_braces)?;
    if input.is_empty() { Ok(value) } else { Err(input.error(format!("nothing comes after `{name}`"))) }
}

fn word(input: ParseStream<'_>, expected: &str) -> syn::Result<Ident> {
    let word = input
        .call(Ident::parse_any)
        .map_err(|error| syn::Error::new(error.span(), format!("expected `{expected}` here")))?;
    if word == expected {
        Ok(word)
    } else {
        Err(syn::Error::new(word.span(), format!("expected `{expected}` here, found `{word}`")))
    }
}

fn in_braces<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let inner;
    braced!(inner in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&inner)?.into_iter().collect())
}

fn in_brackets<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let inner;
    bracketed!(inner in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&inner)?.into_iter().collect())
}

/// `start` is one state; a list is read so that the complaint about two can be ours.
fn one_or_list(input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    if input.peek(syn::token::Bracket) { in_brackets(input) } else { Ok(vec![input.parse()?]) }
}

impl Parse for NamedText {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let docs = input.call(Attribute::parse_outer)?;
        let ident = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self { docs, ident, text: input.parse()? })
    }
}

struct NamePair(Ident, Ident);

impl Parse for NamePair {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let from = input.parse()?;
        input.parse::<Token![=>]>()?;
        Ok(Self(from, input.parse()?))
    }
}

impl Parse for RowSyntax {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let inner;
        braced!(inner in input);
        let text = |name| section(&inner, name, <LitStr as Parse>::parse);
        let (table, key, state) = (text("table")?, text("key")?, text("state")?);
        let revision = if inner.is_empty() { None } else { Some(text("revision")?) };
        Ok(Self { table, key, state, revision })
    }
}

impl Parse for GuardSyntax {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let named = input.parse()?;
        input.parse::<Token![:]>()?;
        let word: Ident = input.parse()?;
        let test = match word.to_string().as_str() {
            "sql" => GuardTest::Sql(input.parse()?),
            "proof" => GuardTest::Proof(input.parse()?),
            other => {
                return Err(syn::Error::new(
                    word.span(),
                    format!("a guard is `sql \"…\"` or `proof Name`, not `{other}`"),
                ));
            }
        };
        Ok(Self { named, test })
    }
}

impl Parse for EffectSyntax {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let named = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok(Self { named, about: input.parse()? })
    }
}

impl Parse for ActorWord {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) { input.parse().map(Self::Text) } else { input.parse().map(Self::Name) }
    }
}

impl Parse for MoveSyntax {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        const CLAUSES: [&str; 6] = ["from", "to", "by", "when", "does", "spec"];
        let named: NamedText = input.parse()?;
        let inner;
        braced!(inner in input);
        let (mut from, mut to, mut by, mut when, mut does, mut spec) = (None, None, None, None, None, None);
        while !inner.is_empty() {
            let clause: Ident = inner.call(Ident::parse_any)?;
            inner.parse::<Token![:]>()?;
            match clause.to_string().as_str() {
                "from" => once(&clause, &mut from, in_brackets(&inner)?)?,
                "to" => once(&clause, &mut to, inner.parse()?)?,
                "by" => once(&clause, &mut by, in_brackets(&inner)?)?,
                "when" => once(&clause, &mut when, in_brackets(&inner)?)?,
                "does" => once(&clause, &mut does, in_brackets(&inner)?)?,
                "spec" => once(&clause, &mut spec, inner.parse()?)?,
                other => {
                    let hint = meant(CLAUSES, other);
                    return Err(syn::Error::new(clause.span(), format!("`{other}` is no clause of a move{hint}")));
                }
            }
            if !inner.is_empty() {
                inner.parse::<Token![,]>()?;
            }
        }
        Ok(Self { named, from, to, by, when: when.unwrap_or_default(), does: does.unwrap_or_default(), spec })
    }
}

fn once<T>(clause: &Ident, place: &mut Option<T>, value: T) -> syn::Result<()> {
    if place.replace(value).is_some() {
        return Err(syn::Error::new(clause.span(), format!("`{clause}` is said twice in this move")));
    }
    Ok(())
}
