//! Rights and duties of a machine's moves: actors, the proofs of guards, and effects.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;

use super::parse::{CheckedGuard, CheckedMachine, CheckedMove, GuardCheck, docs, texts, value};
use super::syntax::NamedText;
use crate::complaints::escaped;
use crate::spans::{moved, place};

pub(super) fn actors(machine: &CheckedMachine) -> TokenStream {
    let tokens = machine.actors.iter().enumerate().map(|(index, actor)| {
        let (ident, text) = (&actor.ident, value(&actor.text));
        let own = machine.moves.iter().filter(|step| step.by.contains(&index)).map(|step| &step.named);
        let about = docs(&actor.docs, &format!("The right to act as `{text}`: {}.", texts(own)));
        quote_spanned! {place(ident)=>
            #about
            #[derive(Debug)]
            pub struct #ident {
                _granted: (),
            }

            impl #ident {
                /// Grants the right. **Review every call of this**: whoever holds the value may make the moves. Call it
                /// where the rooms are built and hand the value down.
                #[must_use]
                pub const fn grant() -> Self {
                    Self { _granted: () }
                }
            }

            impl super::sealed::Sealed for #ident {}
        }
    });
    let rights = machine.moves.iter().map(|step| may(machine, step));
    quote! {
        /// The actors of the moves, as values that only `grant` makes.
        pub mod actor {
            #(#tokens)*
        }

        /// The rights to make moves: a trait per move, implemented by its actors.
        pub mod may {
            #(#rights)*
        }
    }
}

fn may(machine: &CheckedMachine, step: &CheckedMove) -> TokenStream {
    let (ident, text, spec) = (&step.named.ident, value(&step.named.text), &step.spec);
    let (name, span) = (&machine.name, place(ident));
    let actors: Vec<&NamedText> = step.by.iter().map(|actor| &machine.actors[*actor]).collect();
    let message = escaped(&format!("{name}: `{{Self}}` may not make the move `{text}`"));
    let allowed = escaped(&format!("`{text}` is made by {}", texts(actors.iter().copied())));
    let declared = escaped(&format!("declared at {spec}"));
    let about = format!("May make the move `{text}`.");
    let impls = actors.iter().map(|actor| {
        let (actor, name) = (moved(&actor.ident, span), value(&actor.text));
        quote_spanned! {span=>
            impl #ident for super::actor::#actor {
                const NAME: &'static str = #name;
            }
        }
    });
    quote_spanned! {span=>
        #[doc = #about]
        #[diagnostic::on_unimplemented(message = #message, label = "not an actor of this move", note = #allowed, note = #declared)]
        pub trait #ident: super::sealed::Sealed {
            /// The actor's name in the spec.
            const NAME: &'static str;
        }

        #(#impls)*
    }
}

/// The guards that need a proof; those in SQL are in the statement.
pub(super) fn guards(machine: &CheckedMachine) -> TokenStream {
    let proven: Vec<(&CheckedGuard, &Ident)> = machine
        .guards
        .iter()
        .filter_map(|guard| match &guard.test {
            GuardCheck::Proof(proof) => Some((guard, proof)),
            GuardCheck::Sql(_) => None,
        })
        .collect();
    if proven.is_empty() {
        return TokenStream::new();
    }
    let mut proofs: Vec<&Ident> = proven.iter().map(|(_, proof)| *proof).collect();
    proofs.sort();
    proofs.dedup();
    let evidence = proven.iter().map(|(guard, proof)| evidence(&guard.named, proof));
    let proofs = proofs.into_iter().map(|proof| {
        let about = format!("A `{proof}`. **Implement it for one type**, which only the checker can make, and review every other.");
        let message = escaped(&format!("{}: `{{Self}}` is no `{proof}`", machine.name));
        let note = "only the type that the checker makes is a proof";
        let declared = escaped(&format!("declared at {}", machine.spec));
        quote_spanned! {place(proof)=>
            #[doc = #about]
            #[diagnostic::on_unimplemented(message = #message, label = "proves nothing", note = #note, note = #declared)]
            pub trait #proof {}
        }
    });
    quote! {
        /// The proofs of guards: a trait per proof, implemented by the room that checks it.
        pub mod proof {
            #(#proofs)*
        }

        /// The guards that need a proof, as values that only a proof makes.
        pub mod guard {
            #(#evidence)*
        }
    }
}

fn evidence(guard: &NamedText, proof: &Ident) -> TokenStream {
    let (ident, text) = (&guard.ident, value(&guard.text));
    let about = docs(&guard.docs, &format!("`{text}` holds."));
    let proof = moved(proof, place(ident));
    quote_spanned! {place(ident)=>
        #about
        #[derive(Debug)]
        pub struct #ident {
            _proven: (),
        }

        impl #ident {
            /// The guard holds, because there is a proof of it.
            pub fn proven_by<P: super::proof::#proof + ?::core::marker::Sized>(_: &P) -> Self {
                Self { _proven: () }
            }
        }
    }
}

pub(super) fn effects(machine: &CheckedMachine) -> TokenStream {
    if machine.effects.is_empty() {
        return TokenStream::new();
    }
    let effects = machine.effects.iter().map(|effect| {
        let (ident, text, about) = (&effect.named.ident, value(&effect.named.text), value(&effect.about));
        let about = docs(&effect.named.docs, &format!("`{text}` is due: {about}."));
        quote_spanned! {place(ident)=>
            #about
            ///
            /// Only a move that was made hands it out. Take it as an argument of what it allows.
            #[derive(Debug)]
            #[must_use = "the move owes this effect, in the same transaction"]
            pub struct #ident {
                _due: (),
            }

            impl #ident {
                pub(super) const fn due() -> Self {
                    Self { _due: () }
                }
            }
        }
    });
    quote! {
        /// The effects that moves owe besides the new state.
        pub mod effect {
            #(#effects)*
        }
    }
}
