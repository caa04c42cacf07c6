//! Envelopes as constant pieces.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::doc::doc_or;
use super::tokens::{constant, ident};
use crate::resolve::{EnvelopePiece, PlaceholderValue, ResolvedSpec};

/// The module `envelopes`.
pub(super) fn module(lowered: &ResolvedSpec<'_>) -> TokenStream {
    let envelopes = lowered.envelopes.iter().map(|(name, envelope)| {
        let (about, constant, style) = (doc_or(envelope.doc, name), constant(name), envelope.style.key());
        let pieces = envelope.pieces.iter().map(piece);
        quote! {
            #about
            pub static #constant: Envelope = Envelope { name: #name, style: #style, body: &[#(#pieces),*] };
        }
    });
    let uses = uses(lowered);
    quote! {
        /// The bodies of errors.
        pub mod envelopes {
            use crate::api::Envelope;
            #uses

            #(#envelopes)*
        }
    }
}

/// The short names that the pieces are written with.
fn uses(lowered: &ResolvedSpec<'_>) -> TokenStream {
    let (mut pieces, mut absents, mut slots) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for piece in lowered.envelopes.values().flat_map(|envelope| &envelope.pieces) {
        let (name, slot) = match piece {
            EnvelopePiece::Json(_) => ("Json", None),
            EnvelopePiece::Value(slot, absent) => {
                absents.insert(absent.rust());
                ("Value", Some(slot))
            }
            EnvelopePiece::Within(slot) => ("Within", Some(slot)),
            EnvelopePiece::Member(_, slot, _) => ("Member", Some(slot)),
        };
        pieces.insert(name);
        slots.extend(slot.map(|slot| slot.rust()));
    }
    let line = |path: &str, names: BTreeSet<&str>| {
        let (path, names) = (ident(path), names.into_iter().map(ident));
        quote!(use crate::api::#path::{#(#names),*};)
    };
    [line("Absent", absents), line("Piece", pieces), line("Slot", slots)].into_iter().collect()
}

fn piece(piece: &EnvelopePiece) -> TokenStream {
    match piece {
        EnvelopePiece::Json(text) => quote!(Json(#text)),
        EnvelopePiece::Value(slot, absent) => {
            let (slot, absent) = (self::slot(*slot), ident(absent.rust()));
            quote!(Value(#slot, #absent))
        }
        EnvelopePiece::Within(slot) => {
            let slot = self::slot(*slot);
            quote!(Within(#slot))
        }
        EnvelopePiece::Member(before, slot, after) => {
            let slot = self::slot(*slot);
            quote!(Member(#before, #slot, #after))
        }
    }
}

fn slot(slot: PlaceholderValue) -> proc_macro2::Ident {
    ident(slot.rust())
}
