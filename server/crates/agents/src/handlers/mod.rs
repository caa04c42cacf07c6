//! The operations about agents: this room's reasons as codes.

mod account_agents;
mod convert;
mod manage;
mod refusal;
mod register;
