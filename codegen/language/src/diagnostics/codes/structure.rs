//! K: keys and the kinds of their values.

super::diagnostic_code::codes! {
    UNKNOWN_KEY "K001" "an unknown key"
        "An entry has exactly the keys of the language (`codegen schema` lists them, and an editor completes them). \
         A misspelt key would otherwise be a rule that nobody follows."
        "operations:\n  chat.create: {rout: POST /v1/chat}"
    WRONG_KIND "K002" "a value of the wrong kind"
        "Under this key stands another kind of value: a word, a number, true or false, a list, or a mapping."
        "errors: KEY_MISSING"
    MISSING_KEY "K003" "a key is missing"
        "An entry of this kind cannot do without this key."
        "KEY_INVALID: {kind: authentication, http: 401, do: check the key}"
    UNKNOWN_WORD "K004" "an unknown word"
        "Under this key stands one of a few words."
        "stage: planed"
    OUT_OF_RANGE "K005" "a number out of range"
        "The value lies outside of what the key admits, for instance an HTTP status of an error below 400."
        "http: 200"
    WRONG_LENGTH "K006" "too few or too many items"
        "A list under this key has a fixed or least number of items, for instance the two bounds of `usd`."
        "usd: [1]"
    DEFINED_TWICE "K007" "defined in two places"
        "All files are one namespace, so a name is defined once. The first one, by file name, is kept for the rest of \
         the check."
        "types:\n  Usage: {fields: {}}   # and again in another file"
    SCHEMA_LINE "K008" "the first line does not name the schema"
        "The first line of a spec file tells editors where the schema is, for completion and marks while typing."
        "# yaml-language-server: $schema=../dist/spec.schema.json"
    NOT_A_WORD "K009" "a word in quotes or with its kind spelt out is needed"
        "A word is needed here, and YAML reads this as a number, `true`, `false` or `null`. Put it in quotes."
        "part: 7"
    NAME_MISSING "K010" "the line with the name of an entry is missing"
        "In a section stand names, and under each name the keys of its entry. Here keys stand where names should: the \
         line above them is gone, or they are one step too far to the left."
        "operations:\n    route: POST /v1/chat/completions\n    envelope: o"
    MISPLACED "K011" "an entry in the wrong section"
        "By its keys an entry belongs to another section than the one it stands in. Mostly the line that begins its \
         section is gone, so that its entries stand at the end of the section before."
        "operations:\n  ChatRequest:\n    fields: {model: string}"
    NOT_READ "K012" "a file that is not read"
        "Files of the spec end in `.yaml` and stand under `spec/`, outside of `spec/dist`. Notes for people end in `.md`; hidden \
         files are left alone. Everything else is probably a spec file that has no effect."
        "spec/operations/orders.yml"
    EMPTY_SENTENCE "K014" "a sentence without words"
        "What people are to read says something. A key that has nothing to say is left out, where it may be."
        "because: \"\""
}
