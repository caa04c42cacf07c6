//! The rules of the house, as tests over its source: who may import whom, which words stay out, what is generated is
//! fresh. That what is declared is answered is seen in `it/spec/answers`.

// suite of this file: quick

mod commits;
mod declared;
mod figures;
mod fresh;
mod functions;
mod image;
mod moves;
mod names;
mod rooms;
mod source;
mod spec_names;
mod words;
