//! The rules of the house, as tests over its source: who may import whom, which words stay out, what is generated is
//! fresh, what is declared is tested.

mod covered;
mod fresh;
mod functions;
mod moves;
mod rooms;
mod source;
mod words;
