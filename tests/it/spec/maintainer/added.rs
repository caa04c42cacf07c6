//! What a maintainer writes into the small golden spec for an operation with two error codes and a state move.

/// The operation, in the place of the stub.
pub(crate) const OPERATION: &str = r"  things.mend:
    doc: A broken thing is made whole.
    route: POST /v1/things/{thing}:mend
    envelope: o
    auth: [bearer]
    path: {thing: {type: string, doc: Its name.}}
    ok: Thing
    errors: [$auth, NOT_BROKEN, TOO_OLD]
    moves: [thing.mend]
    fact: things-mend
";
/// Its codes.
pub(crate) const CODES: &str = r#"  NOT_BROKEN: {kind: bad, http: 409, say: "'{thing}' is whole", do: leave it, with: {thing: string}}
  TOO_OLD: {kind: bad, http: 422, say: nobody mends it, do: take another}
"#;
/// The move that it makes.
pub(crate) const MOVE: &str = "      mend: {doc: It is mended., from: open, to: fresh, by: things.mend}\n";
/// What is said in the decision that the stub opens, and what in its place.
pub(crate) const FACT: [(&str, &str); 3] = [
    ("What was decided.", "A thing may be mended while it is open."),
    ("because: Why.", "because: closed things are gone"),
    ("status: open", "status: decided"),
];
