//! Operators and the admin API: who may do what, on which address, and by which credential.

mod roles;
mod signing_in;
