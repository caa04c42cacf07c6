//! A checked [`CheckedView`], to its module: other names for the states of a machine, and the moves as its readers see them.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;

use super::names::{head, move_facts, names};
use super::parse::{CheckedView, docs};

pub(super) fn expand(view: &CheckedView) -> TokenStream {
    let head = head(&view.name, &view.spec);
    let about = docs(&view.docs, &format!("A state of `{}` ({}).", view.name, view.spec));
    let states = names(&Ident::new("State", view.place), "state", &about, &view.states.iter().collect::<Vec<_>>());
    let about = docs(&[], &format!("A move of `{}` ({}).", view.name, view.spec));
    let moves = names(
        &Ident::new("Move", view.place),
        "move",
        &about,
        &view.moves.iter().map(|step| &step.named).collect::<Vec<_>>(),
    );
    let facts: Vec<_> = view.moves.iter().map(|step| (&step.named, step.spec.as_str(), step.by.clone())).collect();
    let facts = move_facts(&facts);
    let table = table(view);
    let mapping = mapping(view);
    quote!(#head #states #moves #facts #table #mapping)
}

fn table(view: &CheckedView) -> TokenStream {
    let rows = view.moves.iter().flat_map(|step| {
        let (ident, to) = (&step.named.ident, &view.states[step.to].ident);
        step.from.iter().map(move |from| {
            let from = option(from.map(|from| &view.states[from].ident));
            quote!((#from, Move::#ident, State::#to))
        })
    });
    quote! {
        /// All moves, each with the state before (`None` where there is no row yet) and the state after.
        pub const TABLE: &[(::core::option::Option<State>, Move, State)] = &[#(#rows),*];
    }
}

fn mapping(view: &CheckedView) -> TokenStream {
    let of = &view.of;
    let to_view = view.base.iter().map(|(base, state)| {
        let state = option(state.map(|state| &view.states[state].ident));
        quote!(#of::State::#base => #state,)
    });
    let to_base = view.states.iter().enumerate().map(|(index, named)| {
        let ident = &named.ident;
        let bases =
            view.base.iter().filter(|(_, state)| *state == Some(index)).map(|(base, _)| quote!(#of::State::#base));
        quote!(Self::#ident => &[#(#bases),*],)
    });
    quote_spanned! {view.place=>
        /// The view's word for a state of the machine; `None` where it has none.
        #[must_use]
        pub const fn view(state: #of::State) -> ::core::option::Option<State> {
            match state {
                #(#to_view)*
            }
        }

        impl State {
            /// The states of the machine that this word stands for.
            #[must_use]
            pub const fn base(self) -> &'static [#of::State] {
                match self {
                    #(#to_base)*
                }
            }
        }
    }
}

fn option(state: Option<&Ident>) -> TokenStream {
    match state {
        Some(state) => quote!(::core::option::Option::Some(State::#state)),
        None => quote!(::core::option::Option::None),
    }
}
