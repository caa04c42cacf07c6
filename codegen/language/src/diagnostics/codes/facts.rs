//! F: where things come from.

super::diagnostic_code::codes! {
    NO_ORIGIN "F001" "an entry that comes from nowhere"
        "Every entry says where it comes from: `from:` names a heading of the source, `fact:` a decision of the project. \
         Both may also stand at the top of the file, for all of its entries."
        "limits:\n  chat_body: {bytes: 4 MiB}"
    BAD_FROM "F002" "this is not a place in the source"
        "`from` is `§` and the number of a part, then perhaps a space and a heading of it."
        "from: part 4"
    OPEN_GAP "F003" "a gap of the source that no fact closes"
        "What the source leaves open has been decided by somebody; a fact says by whom and why."
        "gaps: {pay-error-field: {part: \"7\", open: …}}"
    CONTRADICTED "F004" "a decision that the source contradicts"
        "The source has since said otherwise: change the choice, and then the status."
        "status: contradicted"
    UNDECIDED "F005" "a decision that is still open"
        "A warning, so that work can go on; a release has none of these."
        "status: open"
    BAD_DATE "F006" "this is not a day"
        "A day is `2026-11-21`."
        "when: 21.11.2026"
    CLOSED_TWICE "F007" "a gap that two facts close"
        "One decision closes a gap: of two, nobody knows which holds."
        "one: {closes: [list-order]}\nother: {closes: [list-order]}"
}
