//! The process: connections, overload, memory, stopping, alarms, traces, commands.

mod alarms;
mod answers_in_flight;
mod bad_input;
mod cli;
mod listener;
mod memory;
mod odd_requests;
mod overload;
mod sandbox;
mod service;
mod shutdown;
mod traces;
