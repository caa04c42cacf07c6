//! The operations about agents: this room's reasons as codes.

mod manage;
mod refusal;
mod register;
mod shown;
