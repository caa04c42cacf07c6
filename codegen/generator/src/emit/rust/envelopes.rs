//! Envelopes as constant pieces.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::doc::doc_or;
use super::{constant, ident};
use crate::lower::{Lowered, Piece, Slot};

/// The module `envelopes`.
pub(super) fn module(lowered: &Lowered<'_>) -> TokenStream {
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
fn uses(lowered: &Lowered<'_>) -> TokenStream {
    let (mut pieces, mut absents, mut slots) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for piece in lowered.envelopes.values().flat_map(|envelope| &envelope.pieces) {
        let (name, slot) = match piece {
            Piece::Json(_) => ("Json", None),
            Piece::Value(slot, absent) => {
                absents.insert(absent.rust());
                ("Value", Some(slot))
            }
            Piece::Within(slot) => ("Within", Some(slot)),
            Piece::Member(_, slot, _) => ("Member", Some(slot)),
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

fn piece(piece: &Piece) -> TokenStream {
    match piece {
        Piece::Json(text) => quote!(Json(#text)),
        Piece::Value(slot, absent) => {
            let (slot, absent) = (self::slot(*slot), ident(absent.rust()));
            quote!(Value(#slot, #absent))
        }
        Piece::Within(slot) => {
            let slot = self::slot(*slot);
            quote!(Within(#slot))
        }
        Piece::Member(before, slot, after) => {
            let slot = self::slot(*slot);
            quote!(Member(#before, #slot, #after))
        }
    }
}

fn slot(slot: Slot) -> proc_macro2::Ident {
    ident(slot.rust())
}
