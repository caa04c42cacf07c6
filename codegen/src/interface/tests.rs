//! What clients are made of, read from the project's own `resolved.json`.
