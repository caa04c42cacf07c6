//! The types of a machine: states as markers, moves as values, and the row that takes one to the other.
//!
//! A trait per state (`out_of`) lists its moves and a trait per move (`may`) its actors, so that rustc's complaint can
//! name the state, the move and the spec line: one trait for all could only print the same note for every misuse.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;

use super::parse::{CheckedMachine, CheckedMove, GuardCheck, docs, value};
use super::rights::{actors, effects, guards};
use super::row::row;
use super::sql;
use super::syntax::NamedText;
use crate::complaints::escaped;
use crate::spans::{moved, place};

pub(super) fn expand(machine: &CheckedMachine) -> TokenStream {
    let parts = [
        markers(machine),
        actors(machine),
        guards(machine),
        effects(machine),
        moves(machine),
        out_of(machine),
        row(machine),
    ];
    quote! {
        mod sealed {
            /// Only this machine's own types have what is sealed.
            pub trait Sealed {}
            /// Lets only this machine hand out what a move owes.
            #[derive(Debug)]
            pub struct Key(pub(super) ());
        }

        #(#parts)*
    }
}

fn markers(machine: &CheckedMachine) -> TokenStream {
    let states = machine.states.iter().map(|state| {
        let (ident, text) = (&state.ident, value(&state.text));
        let about = format!("A row is in `{text}`.");
        quote_spanned! {place(ident)=>
            #[doc = #about]
            #[derive(Debug)]
            pub enum #ident {}

            impl super::sealed::Sealed for #ident {}

            impl At for #ident {
                const STATE: super::State = super::State::#ident;
            }
        }
    });
    quote! {
        /// The states as types.
        pub mod at {
            /// A state as a type.
            pub trait At: super::sealed::Sealed {
                /// The state as a value.
                const STATE: super::State;
            }

            #(#states)*
        }
    }
}

fn moves(machine: &CheckedMachine) -> TokenStream {
    let moves = machine.moves.iter().map(|step| {
        let (ident, text) = (&step.named.ident, value(&step.named.text));
        let about = docs(&step.named.docs, &format!("The move `{text}` ({}).", step.spec));
        let evidence = step.when.iter().map(|guard| &machine.guards[*guard]).filter_map(|guard| {
            let guard_ident = moved(&guard.named.ident, place(ident));
            matches!(guard.test, GuardCheck::Proof(_))
                .then(|| quote_spanned!(place(ident)=> _: super::guard::#guard_ident))
        });
        quote_spanned! {place(ident)=>
            #about
            #[derive(Debug)]
            pub struct #ident {
                by: &'static str,
            }

            impl #ident {
                /// The move, made by an actor who may make it, and on proof of what it needs proven.
                #[must_use]
                pub fn by<A: super::may::#ident>(_: &A, #(#evidence),*) -> Self {
                    Self { by: A::NAME }
                }
            }

            impl super::sealed::Sealed for #ident {}

            impl Moves for #ident {
                const MOVE: super::Move = super::Move::#ident;

                fn actor(&self) -> &'static str {
                    self.by
                }
            }
        }
    });
    quote! {
        /// The moves as values.
        pub mod mv {
            /// A move as a type.
            pub trait Moves: super::sealed::Sealed {
                /// The move as a value.
                const MOVE: super::Move;

                /// The actor that makes the move.
                fn actor(&self) -> &'static str;
            }

            #(#moves)*
        }
    }
}

fn out_of(machine: &CheckedMachine) -> TokenStream {
    let states = machine.states.iter().enumerate().map(|(index, state)| leaves(machine, index, state));
    let allows = machine.states.iter().map(|state| {
        let ident = &state.ident;
        quote_spanned! {place(ident)=>
            impl<M: out_of::#ident> Allows<M> for at::#ident {
                type To = M::To;
                type Due = M::Due;
                const CAS: &'static crate::api::machine::Cas = M::CAS;

                fn due(key: &sealed::Key) -> Self::Due {
                    M::due(key)
                }
            }
        }
    });
    quote! {
        /// The moves out of each state: a trait per state, implemented by its moves.
        pub mod out_of {
            #(#states)*
        }

        /// A state out of which the move `M` leads.
        pub trait Allows<M>: at::At {
            /// The state that it leads to.
            type To: at::At;
            /// The effects that it owes besides.
            type Due;
            /// Its statement.
            const CAS: &'static crate::api::machine::Cas;

            #[doc(hidden)]
            fn due(key: &sealed::Key) -> Self::Due;
        }

        #(#allows)*
    }
}

fn leaves(machine: &CheckedMachine, index: usize, state: &NamedText) -> TokenStream {
    let (ident, text, name) = (&state.ident, value(&state.text), &machine.name);
    let own: Vec<&CheckedMove> = machine.moves.iter().filter(|step| step.from.contains(&index)).collect();
    let allowed: Vec<String> = own
        .iter()
        .map(|step| format!("`{}` (to `{}`)", value(&step.named.text), value(&machine.states[step.to].text)))
        .collect();
    let allowed = if own.is_empty() {
        format!("`{text}` is final: no move leaves it")
    } else {
        format!("`{text}` allows {}", allowed.join(", "))
    };
    let message = escaped(&format!("{name}: no move `{{Self}}` out of state `{text}`"));
    let (allowed, declared) = (escaped(&allowed), escaped(&format!("declared at {}", machine.spec)));
    let about = format!("Leaves `{text}`.");
    let impls = own.iter().map(|step| leave(machine, state, step));
    quote_spanned! {place(ident)=>
        #[doc = #about]
        #[diagnostic::on_unimplemented(message = #message, label = "illegal move", note = #allowed, note = #declared)]
        pub trait #ident: super::mv::Moves {
            /// The state that the move leads to.
            type To: super::at::At;
            /// The effects that the move owes besides.
            type Due;
            /// The move's statement.
            const CAS: &'static crate::api::machine::Cas;

            #[doc(hidden)]
            fn due(key: &super::sealed::Key) -> Self::Due;
        }

        #(#impls)*
    }
}

fn leave(machine: &CheckedMachine, state: &NamedText, step: &CheckedMove) -> TokenStream {
    let ident = &step.named.ident;
    let span = place(ident);
    let (from, to) = (moved(&state.ident, span), moved(&machine.states[step.to].ident, span));
    let (machine_name, step_name) = (&machine.name, value(&step.named.text));
    let (from_text, to_text) = (value(&state.text), value(&machine.states[step.to].text));
    let guards: Vec<_> = step
        .when
        .iter()
        .filter_map(|guard| match &machine.guards[*guard].test {
            GuardCheck::Sql(sql) => Some(sql),
            GuardCheck::Proof(_) => None,
        })
        .collect();
    let text = sql::statement(&machine.row, guards.iter().copied());
    let needs_now = guards.iter().any(|guard| guard.needs_now);
    let effects: Vec<&Ident> = step.does.iter().map(|effect| &machine.effects[*effect].named.ident).collect();
    let (due, make) = match effects.as_slice() {
        [] => (quote!(()), quote!()),
        [one] => (quote!(super::effect::#one), quote!(super::effect::#one::due())),
        all => (quote!((#(super::effect::#all),*)), quote!((#(super::effect::#all::due()),*))),
    };
    quote_spanned! {span=>
        impl #from for super::mv::#ident {
            type To = super::at::#to;
            type Due = #due;
            const CAS: &'static crate::api::machine::Cas = &crate::api::machine::Cas {
                machine: #machine_name,
                step: #step_name,
                sql: #text,
                from: #from_text,
                to: #to_text,
                needs_now: #needs_now,
            };

            fn due(_: &super::sealed::Key) -> Self::Due {
                #make
            }
        }
    }
}
