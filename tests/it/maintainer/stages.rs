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

pub(super) const STAGES: &[Stage] = &[
    Stage { name: "no handler", written: false, listed: false, told: &[], ..RIGHT },
    Stage { name: "a handler that the service does not list", listed: false, told: &[], ..RIGHT },
    Stage { name: "a list without a handler", written: false, told: &[], ..RIGHT },
    Stage {
        name: "a code that another operation declares",
        edits: &[("code::TooOld {}", "code::NoThing { thing: String::new() }")],
        told: &[],
        ..RIGHT
    },
    Stage {
        name: "a code without what it carries",
        edits: &[("raise(code::NotBroken { thing: row.into_data() })", "raise(code::NotBroken {})")],
        told: &[],
        ..RIGHT
    },
    Stage {
        name: "a code that is not handled",
        edits: &[("        MendThingsError::TooOld => \"it is gone\",\n", "")],
        told: &[],
        ..RIGHT
    },
    Stage {
        name: "a state that is not handled",
        edits: &[("            AnyRow::Closed(_) => return Err(raise(code::TooOld {})),\n", "")],
        told: &[],
        ..RIGHT
    },
    Stage {
        name: "a move that the state does not have",
        edits: &[
            ("AnyRow::Closed(_) => return Err(raise(code::TooOld {}))", "AnyRow::Closed(row) => row"),
            ("AnyRow::Open(row) => row", "AnyRow::Open(_) => return Err(raise(code::TooOld {}))"),
        ],
        told: &[],
        ..RIGHT
    },
    Stage {
        name: "a move that the actor may not make",
        edits: &[("actor::ThingsMend::grant()", "actor::Clock::grant()")],
        told: &[],
        ..RIGHT
    },
    Stage {
        name: "a move that is not made",
        edits: &[
            ("        let step = row.step(mv::Mend::by(&mend));\n", "        row.step(mv::Mend::by(&mend));\n"),
            (
                "        let changed = rows_changed_by(step.cas());\n        match step.done(changed) {\n            Ok(won) => Ok(thing(won.row.data())),\n            Err(lost) => Err(raise(code::NotBroken { thing: lost.data })),\n        }\n",
                "        Ok(thing(\"mended\"))\n",
            ),
            ("/// As the store tells it.\nfn rows_changed_by(", "/// As the store tells it.\npub fn rows_changed_by("),
        ],
        told: &[],
        ..RIGHT
    },
    RIGHT,
];
