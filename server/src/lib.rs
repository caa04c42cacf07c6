//! The gateway: routes and shapes generated from `spec/`, and the rooms that fill them in.

pub mod base;
