//! A checked [`CheckedMachine`], to its module: the table here, the types of its states and moves in `typestate`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::names::{head, move_facts, names};
use super::parse::{CheckedMachine, docs, value};
use super::typestate;

pub(super) fn expand(machine: &CheckedMachine) -> TokenStream {
    let head = head(&machine.name, &machine.spec);
    let enums = enums(machine);
    let table = table(machine);
    let types = typestate::expand(machine);
    quote!(#head #enums #table #types)
}

fn enums(machine: &CheckedMachine) -> TokenStream {
    let about = docs(&machine.docs, &format!("A state of `{}` ({}).", machine.name, machine.spec));
    let states =
        names(&Ident::new("State", machine.place), "state", &about, &machine.states.iter().collect::<Vec<_>>());
    let about = docs(&[], &format!("A move of `{}` ({}).", machine.name, machine.spec));
    let moves = names(
        &Ident::new("Move", machine.place),
        "move",
        &about,
        &machine.moves.iter().map(|step| &step.named).collect::<Vec<_>>(),
    );
    let facts = machine.moves.iter().map(|step| {
        let by = step.by.iter().map(|actor| value(&machine.actors[*actor].text)).collect();
        (&step.named, step.spec.as_str(), by)
    });
    let facts = move_facts(&facts.collect::<Vec<_>>());
    let start = &machine.states[machine.start].ident;
    let is_final = machine.states.iter().enumerate().map(|(index, state)| {
        let (ident, is_final) = (&state.ident, machine.finals.contains(&index));
        quote!(Self::#ident => #is_final,)
    });
    quote! {
        #states

        impl State {
            /// The state that a row begins in.
            pub const START: Self = Self::#start;

            /// True when no move leaves the state.
            #[must_use]
            pub const fn is_final(self) -> bool {
                match self {
                    #(#is_final)*
                }
            }
        }

        #moves
        #facts
    }
}

fn table(machine: &CheckedMachine) -> TokenStream {
    let edges = || {
        machine.moves.iter().flat_map(|step| {
            step.from
                .iter()
                .map(|from| (&machine.states[*from].ident, &step.named.ident, &machine.states[step.to].ident))
        })
    };
    let rows = edges().map(|(from, step, to)| quote!((State::#from, Move::#step, State::#to)));
    let allowed = edges()
        .map(|(from, step, to)| quote!((State::#from, Move::#step) => ::core::option::Option::Some(State::#to),));
    let cas = edges().map(|(from, step, _)| {
        quote!((State::#from, Move::#step) => ::core::option::Option::Some(<mv::#step as out_of::#from>::CAS),)
    });
    quote! {
        /// All moves, each with the state before and the state after.
        pub const TABLE: &[(State, Move, State)] = &[#(#rows),*];

        /// The state after the move; `None` when it does not start in this one.
        #[must_use]
        pub const fn allowed(state: State, step: Move) -> ::core::option::Option<State> {
            match (state, step) {
                #(#allowed)*
                _ => ::core::option::Option::None,
            }
        }

        /// The statement of the move out of the state. It asks nobody for a proof or a permission: it is for tests,
        /// checks and tools; rooms move a [`Row`].
        #[must_use]
        pub const fn cas(state: State, step: Move) -> ::core::option::Option<&'static crate::api::machine::Cas> {
            match (state, step) {
                #(#cas)*
                _ => ::core::option::Option::None,
            }
        }

        /// Every state with every move and what [`allowed`] says of them, the illegal ones too.
        pub fn pairs() -> impl ::core::iter::Iterator<Item = (State, Move, ::core::option::Option<State>)> {
            State::ALL.iter().flat_map(|state| Move::ALL.iter().map(|step| (*state, *step, allowed(*state, *step))))
        }
    }
}
