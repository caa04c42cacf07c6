//! The operations about organisations and teams: this room's reasons as codes.

mod convert;
mod organisation;
mod refusal;
mod teams;
