//! The row of a machine: in a state that the compiler knows, and from there only by the moves that the state allows.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::Ident;

use super::parse::{CheckedMachine, value};

pub(super) fn row(machine: &CheckedMachine) -> TokenStream {
    let steps = steps(machine.place);
    let any = any_row(machine);
    quote_spanned! {machine.place=>
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

            /// The data that travel with the row.
            #[must_use]
            pub const fn data(&self) -> &T {
                &self.data
            }

            /// The data that travelled with the row.
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

fn steps(span: Span) -> TokenStream {
    quote_spanned! {span=>
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

            /// The data that travel with the row.
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
            /// The actor that makes the move, for the log.
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
            /// The effects that the move owes: one, several, or `()`.
            pub due: D,
        }
    }
}

fn any_row(machine: &CheckedMachine) -> TokenStream {
    let states: Vec<&Ident> = machine.states.iter().map(|state| &state.ident).collect();
    let about = machine.states.iter().map(|state| format!("In `{}`.", value(&state.text)));
    quote_spanned! {machine.place=>
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

            /// The data that travel with the row.
            pub const fn data(&self) -> &T {
                match self {
                    #(Self::#states(row) => row.data(),)*
                }
            }

            /// The data that travelled with the row.
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
