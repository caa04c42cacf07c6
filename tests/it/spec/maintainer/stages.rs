//! From no handler to one that compiles, and the ways to miss it.

/// A stage of the work, and what the compiler says of it.
pub(super) struct Stage {
    pub(super) name: &'static str,
    /// Whether there is a handler.
    pub(super) written: bool,
    /// Whether the service lists the operation among those that its room answers.
    pub(super) listed: bool,
    /// How it differs from the handler that is right.
    pub(super) edits: &'static [(&'static str, &'static str)],
    /// What is said, line by line.
    pub(super) told: &'static [&'static str],
}

const RIGHT: Stage = Stage { name: "all is there", written: true, listed: true, edits: &[], told: &[] };

/// What is said while the service has none, wherever it may be.
const NO_HANDLER: &[&str] = &[
    "error: operation `things.mend` (POST /v1/things/{*thing}:mend) has no handler on `Small`",
    "  ^ missing `impl MendThing for Small`",
    "  = declared at spec/operations/things.yaml: things.mend",
    "  = add: impl MendThing for Small { async fn mend_thing(&self, cx: &Cx, input: MendThingInput) -> \
     Result<Thing, MendThingError> { .. } }",
];

pub(super) const STAGES: &[Stage] = &[
    Stage { name: "no handler", written: false, listed: false, told: NO_HANDLER, ..RIGHT },
    Stage { name: "a handler that the service does not list", listed: false, told: NO_HANDLER, ..RIGHT },
    Stage {
        name: "a list without a handler",
        written: false,
        told: &[
            "error: operation `things.mend` (POST /v1/things/{*thing}:mend) has no handler on `Things`",
            "  ^ missing `impl MendThing for Things`",
            "  = declared at spec/operations/things.yaml: things.mend",
            "  = add: impl MendThing for Things { async fn mend_thing(&self, cx: &Cx, input: MendThingInput) -> \
             Result<Thing, MendThingError> { .. } }",
            "error: operation `things.mend` (POST /v1/things/{*thing}:mend) has no handler on `Things`",
            "  ^ missing `impl MendThing for Things`",
            "  = declared at spec/operations/things.yaml: things.mend",
            "  = add: impl MendThing for Things { async fn mend_thing(&self, cx: &Cx, input: MendThingInput) -> \
             Result<Thing, MendThingError> { .. } }",
        ],
        ..RIGHT
    },
    Stage {
        name: "a code that another operation declares",
        edits: &[("code::TooOld {}", "code::NoThing { thing: String::new() }")],
        told: &[
            "error: operation error `MendThingError` (`things.mend`) does not declare error code `NoThing`",
            "  ^ this code is not in the operation's `errors:` list",
            "  = `things.mend` declares: KEY_DISABLED, KEY_EXPIRED, LEDGER_UNAVAILABLE, \
             NOT_BROKEN, TOO_OLD",
            "  = return a declared code, or add it to the operation's `errors:` in spec/ and build again",
            "  = declared at spec/operations/things.yaml: things.mend",
        ],
        ..RIGHT
    },
    Stage {
        name: "a code without what it carries",
        edits: &[("raise(code::NotBroken { thing: row.into_data() })", "raise(code::NotBroken {})")],
        told: &["error: missing field `thing` in initializer of `NotBroken`", "  ^ missing `thing`"],
        ..RIGHT
    },
    Stage {
        name: "a code that is not handled",
        edits: &[("        MendThingError::TooOld => \"it is gone\",\n", "")],
        told: &[
            "error: non-exhaustive patterns: `&MendThingError::TooOld` not covered",
            "  ^ pattern `&MendThingError::TooOld` not covered",
            "  = the matched value is of type `&MendThingError`",
        ],
        ..RIGHT
    },
    Stage {
        name: "a state that is not handled",
        edits: &[("            AnyRow::Closed(_) => return Err(raise(code::TooOld {})),\n", "")],
        told: &[
            "error: non-exhaustive patterns: `thing::AnyRow::Closed(_)` not covered",
            "  ^ pattern `thing::AnyRow::Closed(_)` not covered",
            "  = the matched value is of type `thing::AnyRow<String>`",
        ],
        ..RIGHT
    },
    Stage {
        name: "a move that the state does not have",
        edits: &[
            ("AnyRow::Closed(_) => return Err(raise(code::TooOld {}))", "AnyRow::Closed(row) => row"),
            ("AnyRow::Open(row) => row", "AnyRow::Open(_) => return Err(raise(code::TooOld {}))"),
        ],
        told: &[
            "error: thing: no move `thing::mv::Mend` out of state `closed`",
            "  ^ illegal move",
            "  = `closed` is final: no move leaves it",
            "  = declared at spec/mini.yaml: thing",
            "error: the method `cas` exists for struct `thing::Step<thing::at::Closed, thing::mv::Mend, String>`, \
             but its trait bounds were not satisfied",
            "  ^ method cannot be called due to unsatisfied trait bounds",
            "error: the method `done` exists for struct `thing::Step<thing::at::Closed, thing::mv::Mend, String>`, \
             but its trait bounds were not satisfied",
            "  ^ method cannot be called due to unsatisfied trait bounds",
        ],
        ..RIGHT
    },
    Stage {
        name: "a move that the actor may not make",
        edits: &[("actor::ThingsMend::grant()", "actor::Clock::grant()")],
        told: &[
            "error: thing: `thing::actor::Clock` may not make the move `mend`",
            "  ^ not an actor of this move",
            "  = `mend` is made by `things.mend`",
            "  = declared at spec/mini.yaml: thing.mend",
        ],
        ..RIGHT
    },
    Stage {
        name: "a move that is not made",
        edits: &[
            ("        let step = row.step(mv::Mend::by(&mend));\n", "        row.step(mv::Mend::by(&mend));\n"),
            (
                "        let changed = rows_changed_by(step.cas());\n        match step.done(changed) {\n            \
                 Ok(won) => Ok(thing(won.row.data())),\n            \
                 Err(lost) => Err(raise(code::NotBroken { thing: lost.data })),\n        }\n",
                "        Ok(thing(\"mended\"))\n",
            ),
            ("/// As the store tells it.\nfn rows_changed_by(", "/// As the store tells it.\npub fn rows_changed_by("),
        ],
        told: &[
            "error: unused `thing::Step` that must be used",
            "  = a move is made by its statement",
            "  = `#[deny(unused_must_use)]` implied by `#[deny(warnings)]`",
        ],
        ..RIGHT
    },
    RIGHT,
];
