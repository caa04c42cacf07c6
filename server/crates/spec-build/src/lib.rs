//! Has no code: the build script keeps the generated files of the server what `spec/` says. Crates that are made of such files
//! depend on this one, so that they are compiled after it has run.
