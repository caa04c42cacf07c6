//! The words inside `#[wire(…)]` and `#[op(…)]`: `word` or `word = value`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, ExprUnary, Ident, Lit, LitStr, Path, Token, UnOp};

use crate::complaints::{ItemComplaints, meant};

/// The words of one kind of attribute on one item.
pub(crate) struct AttributeWords(Vec<AttributeWord>);

/// One word.
struct AttributeWord {
    name: Ident,
    value: Option<Expr>,
}

impl Parse for AttributeWord {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.call(Ident::parse_any)?;
        let value = if input.parse::<Option<Token![=]>>()?.is_some() { Some(input.parse()?) } else { None };
        Ok(Self { name, value })
    }
}

impl AttributeWords {
    /// All words of the attributes called `which`; complains about unknown and doubled ones.
    pub(crate) fn read(attrs: &[Attribute], which: &str, known: &[&str], complaints: &mut ItemComplaints) -> Self {
        let mut words: Vec<AttributeWord> = Vec::new();
        for attr in attrs.iter().filter(|attr| attr.path().is_ident(which)) {
            match attr.parse_args_with(Punctuated::<AttributeWord, Token![,]>::parse_terminated) {
                Ok(list) => words.extend(list),
                Err(error) => {
                    complaints.add(&SpanToken(error.span()), format!("`#[{which}(…)]` does not read: {error}"));
                }
            }
        }
        for (index, word) in words.iter().enumerate() {
            if !known.iter().any(|name| word.name == name) {
                let hint = meant(known.iter().copied(), &word.name.to_string());
                complaints.add(&word.name, format!("`{}` is no word of `#[{which}(…)]` here{hint}", word.name));
            } else if words[..index].iter().any(|earlier| earlier.name == word.name) {
                complaints.add(&word.name, format!("`{}` is said twice", word.name));
            }
        }
        Self(words)
    }

    /// The text of `spec = "file: key"`, which from now on ends every complaint about the item.
    pub(crate) fn place(&self, complaints: &mut ItemComplaints) -> Option<String> {
        let place = self.text("spec", complaints).map(|spec| spec.value());
        complaints.declared_at(place.clone());
        place
    }

    /// The word itself, where it stands alone.
    pub(crate) fn flag(&self, name: &str, complaints: &mut ItemComplaints) -> Option<Ident> {
        let word = self.find(name)?;
        if let Some(value) = &word.value {
            complaints.add(value, format!("`{name}` takes no value"));
        }
        Some(word.name.clone())
    }

    /// True when the word is there at all.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The word where it stands alone and makes all others pointless.
    pub(crate) fn sole(&self, name: &str, complaints: &mut ItemComplaints) -> Option<Ident> {
        let sole = self.flag(name, complaints)?;
        for word in self.0.iter().filter(|word| word.name != name) {
            complaints.add(word, format!("`{}` does not go with `{name}`", word.name));
        }
        Some(sole)
    }

    /// The text of `word = "text"`.
    pub(crate) fn text(&self, name: &str, complaints: &mut ItemComplaints) -> Option<LitStr> {
        let word = self.find(name)?;
        match &word.value {
            Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Some(text.clone()),
            _ => {
                complaints.add(word, format!("`{name}` needs a text: `{name} = \"…\"`"));
                None
            }
        }
    }

    /// The integer of `word = 5`, within the range of `N`.
    pub(crate) fn whole<N: TryFrom<i128>>(
        &self,
        name: &str,
        complaints: &mut ItemComplaints,
    ) -> Option<WholeNumber<N>> {
        let word = self.find(name)?;
        match word.value.as_ref().and_then(integer).and_then(|value| N::try_from(value).ok()) {
            Some(value) => Some(WholeNumber { value, tokens: word.to_token_stream() }),
            None => {
                complaints.add(word, format!("`{name}` needs a whole number in range: `{name} = 1`"));
                None
            }
        }
    }

    /// The path of `word = a::b`.
    pub(crate) fn path(&self, name: &str, complaints: &mut ItemComplaints) -> Option<Path> {
        let word = self.find(name)?;
        match &word.value {
            Some(Expr::Path(path)) if path.qself.is_none() => Some(path.path.clone()),
            _ => {
                complaints.add(word, format!("`{name}` needs a path: `{name} = module::name`"));
                None
            }
        }
    }

    fn find(&self, name: &str) -> Option<&AttributeWord> {
        self.0.iter().find(|word| word.name == name)
    }
}

impl ToTokens for AttributeWord {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.name.to_tokens(tokens);
        self.value.to_tokens(tokens);
    }
}

/// A number and the tokens that said it.
pub(crate) struct WholeNumber<N> {
    pub(crate) value: N,
    pub(crate) tokens: TokenStream,
}

/// A place without tokens of its own.
struct SpanToken(proc_macro2::Span);

impl ToTokens for SpanToken {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        // Any token will do: only its span is used.
        Ident::new("_place", self.0).to_tokens(tokens);
    }
}

fn integer(value: &Expr) -> Option<i128> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().ok(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => integer(expr).map(|value| -value),
        _ => None,
    }
}
