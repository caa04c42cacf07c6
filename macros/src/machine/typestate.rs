//! The types of a machine: states as markers, moves as values, and the row that takes one to the other.
//!
//! A trait per state (`out_of`) lists its moves and a trait per move (`may`) its actors, so that rustc's complaint can
//! name the state, the move and the spec line: one trait for all could only print the same note for every misuse.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::parse::{Checked, Guard, Machine, Move, docs, texts, value};
use super::sql;
use super::syntax::Named;

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let parts = [markers(machine), actors(machine), guards(machine), effects(machine), moves(machine), out_of(machine), row(machine)];
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

fn markers(machine: &Machine) -> TokenStream {
    let states = machine.states.iter().map(|state| {
        let (ident, text) = (&state.ident, value(&state.text));
        let about = format!("A row is in `{text}`.");
        quote! {
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

fn actors(machine: &Machine) -> TokenStream {
    let tokens = machine.actors.iter().enumerate().map(|(index, actor)| {
        let (ident, text) = (&actor.ident, value(&actor.text));
        let own = machine.moves.iter().filter(|step| step.by.contains(&index)).map(|step| &step.named);
        let about = docs(&actor.docs, &format!("The right to act as `{text}`: {}.", texts(own)));
        quote! {
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
        /// Who makes the moves, as values that only `grant` makes.
        pub mod actor {
            #(#tokens)*
        }

        /// Which actor may make which move: a trait per move.
        pub mod may {
            #(#rights)*
        }
    }
}

fn may(machine: &Machine, step: &Move) -> TokenStream {
    let (ident, text, spec) = (&step.named.ident, value(&step.named.text), &step.spec);
    let name = &machine.name;
    let actors: Vec<&Named> = step.by.iter().map(|actor| &machine.actors[*actor]).collect();
    let message = escaped(&format!("{name}: `{{Self}}` may not make the move `{text}`"));
    let allowed = escaped(&format!("`{text}` is made by {}", texts(actors.iter().copied())));
    let place = escaped(&format!("declared at {spec}"));
    let about = format!("May make the move `{text}`.");
    let impls = actors.iter().map(|actor| {
        let (actor, name) = (&actor.ident, value(&actor.text));
        quote! {
            impl #ident for super::actor::#actor {
                const NAME: &'static str = #name;
            }
        }
    });
    quote! {
        #[doc = #about]
        #[diagnostic::on_unimplemented(message = #message, label = "not an actor of this move", note = #allowed, note = #place)]
        pub trait #ident: super::sealed::Sealed {
            /// The actor's name in the spec.
            const NAME: &'static str;
        }

        #(#impls)*
    }
}

/// The guards that need a proof; those in SQL are in the statement.
fn guards(machine: &Machine) -> TokenStream {
    let proven: Vec<(&Guard, &Ident)> = machine
        .guards
        .iter()
        .filter_map(|guard| match &guard.test {
            Checked::Proof(proof) => Some((guard, proof)),
            Checked::Sql(_) => None,
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
        quote! {
            #[doc = #about]
            pub trait #proof {}
        }
    });
    quote! {
        /// What proves a guard: a trait per proof, implemented by the room that checks it.
        pub mod proof {
            #(#proofs)*
        }

        /// The guards that need a proof, as values that only a proof makes.
        pub mod guard {
            #(#evidence)*
        }
    }
}

fn evidence(guard: &Named, proof: &Ident) -> TokenStream {
    let (ident, text) = (&guard.ident, value(&guard.text));
    let about = docs(&guard.docs, &format!("`{text}` holds."));
    quote! {
        #about
        #[derive(Debug)]
        pub struct #ident {
            _proven: (),
        }

        impl #ident {
            /// The guard holds, because there is a proof of it.
            pub fn proven_by<P: super::proof::#proof + ?Sized>(_: &P) -> Self {
                Self { _proven: () }
            }
        }
    }
}

fn effects(machine: &Machine) -> TokenStream {
    if machine.effects.is_empty() {
        return TokenStream::new();
    }
    let effects = machine.effects.iter().map(|effect| {
        let (ident, text, about) = (&effect.named.ident, value(&effect.named.text), value(&effect.about));
        let about = docs(&effect.named.docs, &format!("`{text}` is due: {about}."));
        quote! {
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
        /// What moves owe besides the new state.
        pub mod effect {
            #(#effects)*
        }
    }
}

fn moves(machine: &Machine) -> TokenStream {
    let moves = machine.moves.iter().map(|step| {
        let (ident, text) = (&step.named.ident, value(&step.named.text));
        let about = docs(&step.named.docs, &format!("The move `{text}` ({}).", step.spec));
        let evidence = step.when.iter().map(|guard| &machine.guards[*guard]).filter_map(|guard| {
            let ident = &guard.named.ident;
            matches!(guard.test, Checked::Proof(_)).then(|| quote!(_: super::guard::#ident))
        });
        quote! {
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

                /// Who makes it.
                fn actor(&self) -> &'static str;
            }

            #(#moves)*
        }
    }
}

fn out_of(machine: &Machine) -> TokenStream {
    let states = machine.states.iter().enumerate().map(|(index, state)| leaves(machine, index, state));
    let allows = machine.states.iter().map(|state| {
        let ident = &state.ident;
        quote! {
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
        /// Which moves leave which state: a trait per state, implemented by its moves.
        pub mod out_of {
            #(#states)*
        }

        /// A state out of which the move `M` leads.
        pub trait Allows<M>: at::At {
            /// The state that it leads to.
            type To: at::At;
            /// What it owes besides.
            type Due;
            /// Its statement.
            const CAS: &'static crate::api::machine::Cas;

            #[doc(hidden)]
            fn due(key: &sealed::Key) -> Self::Due;
        }

        #(#allows)*
    }
}

fn leaves(machine: &Machine, index: usize, state: &Named) -> TokenStream {
    let (ident, text, name) = (&state.ident, value(&state.text), &machine.name);
    let own: Vec<&Move> = machine.moves.iter().filter(|step| step.from.contains(&index)).collect();
    let allowed: Vec<String> =
        own.iter().map(|step| format!("`{}` (to `{}`)", value(&step.named.text), value(&machine.states[step.to].text))).collect();
    let allowed = if own.is_empty() { format!("`{text}` is final: no move leaves it") } else { format!("`{text}` allows {}", allowed.join(", ")) };
    let message = escaped(&format!("{name}: no move `{{Self}}` out of state `{text}`"));
    let (allowed, place) = (escaped(&allowed), escaped(&format!("declared at {}", machine.spec)));
    let about = format!("Leaves `{text}`.");
    let impls = own.iter().map(|step| leave(machine, state, step));
    quote! {
        #[doc = #about]
        #[diagnostic::on_unimplemented(message = #message, label = "illegal move", note = #allowed, note = #place)]
        pub trait #ident: super::mv::Moves {
            /// The state that the move leads to.
            type To: super::at::At;
            /// What the move owes besides.
            type Due;
            /// The move's statement.
            const CAS: &'static crate::api::machine::Cas;

            #[doc(hidden)]
            fn due(key: &super::sealed::Key) -> Self::Due;
        }

        #(#impls)*
    }
}

fn leave(machine: &Machine, state: &Named, step: &Move) -> TokenStream {
    let (from, ident, to) = (&state.ident, &step.named.ident, &machine.states[step.to].ident);
    let (machine_name, step_name) = (&machine.name, value(&step.named.text));
    let (from_text, to_text) = (value(&state.text), value(&machine.states[step.to].text));
    let guards: Vec<_> = step
        .when
        .iter()
        .filter_map(|guard| match &machine.guards[*guard].test {
            Checked::Sql(sql) => Some(sql),
            Checked::Proof(_) => None,
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
    quote! {
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

fn row(machine: &Machine) -> TokenStream {
    let steps = steps();
    let any = any_row(machine);
    quote! {
        /// A row known to be in the state `S`, with whatever travels with it. [`AnyRow::read`] makes the first one.
        #[derive(Debug)]
        pub struct Row<S, T> {
            data: T,
            state: ::core::marker::PhantomData<S>,
        }

        impl<S: at::At, T> Row<S, T> {
            const fn new(data: T) -> Self {
                Self { data, state: ::core::marker::PhantomData }
            }

            /// The state as a value.
            #[must_use]
            pub const fn state(&self) -> State {
                S::STATE
            }

            /// What travels with the row.
            #[must_use]
            pub const fn data(&self) -> &T {
                &self.data
            }

            /// What travelled with the row.
            #[must_use]
            pub fn into_data(self) -> T {
                self.data
            }

            /// Sets the row out on a move. It is used up: there is a row again when the move was made.
            pub fn step<M>(self, step: M) -> Step<S, M, T>
            where
                S: Allows<M>,
            {
                Step { data: self.data, step, from: ::core::marker::PhantomData }
            }
        }

        #steps
        #any
    }
}

fn steps() -> TokenStream {
    quote! {
        /// A move that a row has set out on. Run [`cas`](Self::cas) and tell [`done`](Self::done) what it changed.
        #[derive(Debug)]
        #[must_use = "a move is made by its statement"]
        pub struct Step<S, M, T> {
            data: T,
            step: M,
            from: ::core::marker::PhantomData<S>,
        }

        impl<S: Allows<M>, M, T> Step<S, M, T> {
            /// The statement that makes the move.
            pub const fn cas(&self) -> &'static crate::api::machine::Cas {
                S::CAS
            }

            /// What travels with the row.
            pub const fn data(&self) -> &T {
                &self.data
            }

            /// The row in its new state, with what the move owes.
            ///
            /// # Errors
            /// When the statement did not change exactly one row: then the move was not made.
            pub fn done(self, rows_changed: u64) -> ::core::result::Result<Won<S::To, S::Due, T>, crate::api::machine::Lost<T>> {
                if rows_changed == 1 {
                    ::core::result::Result::Ok(Won { row: Row::new(self.data), due: S::due(&sealed::Key(())) })
                } else {
                    ::core::result::Result::Err(crate::api::machine::Lost { cas: S::CAS, data: self.data })
                }
            }
        }

        impl<S, M: mv::Moves, T> Step<S, M, T> {
            /// Who makes the move, for the log.
            pub fn actor(&self) -> &'static str {
                self.step.actor()
            }
        }

        /// A move that was made.
        #[derive(Debug)]
        #[must_use = "what the move owes belongs to the same transaction"]
        pub struct Won<S, D, T> {
            /// The row in its new state.
            pub row: Row<S, T>,
            /// What the move owes: an effect, several, or `()`.
            pub due: D,
        }
    }
}

fn any_row(machine: &Machine) -> TokenStream {
    let states: Vec<&Ident> = machine.states.iter().map(|state| &state.ident).collect();
    let about = machine.states.iter().map(|state| format!("In `{}`.", value(&state.text)));
    quote! {
        /// A row in whatever state it was read in. Match it whole: a new state stops the build where that matters.
        #[derive(Debug)]
        pub enum AnyRow<T> {
            #(#[doc = #about] #states(Row<at::#states, T>),)*
        }

        impl<T> AnyRow<T> {
            /// A row as it was read. `state` is what stood in the row, `data` whatever should travel with it.
            pub const fn read(state: State, data: T) -> Self {
                match state {
                    #(State::#states => Self::#states(Row::new(data)),)*
                }
            }

            /// The state as a value.
            pub const fn state(&self) -> State {
                match self {
                    #(Self::#states(_) => State::#states,)*
                }
            }

            /// What travels with the row.
            pub const fn data(&self) -> &T {
                match self {
                    #(Self::#states(row) => row.data(),)*
                }
            }

            /// What travelled with the row.
            pub fn into_data(self) -> T {
                match self {
                    #(Self::#states(row) => row.into_data(),)*
                }
            }
        }

        #(impl<T> ::core::convert::From<Row<at::#states, T>> for AnyRow<T> {
            fn from(row: Row<at::#states, T>) -> Self {
                Self::#states(row)
            }
        })*
    }
}

/// Braces of the text doubled, but for `{Self}`: the compiler reads it as a format.
fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}").replace("{{Self}}", "{Self}")
}
