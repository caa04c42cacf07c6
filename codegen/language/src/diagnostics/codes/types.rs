//! T: types.

super::diagnostic_code::codes! {
    BAD_EXPRESSION "T001" "this is not a type expression"
        "A type is words: `[optional] (list of | map of)* Name [or null]`, or `const word`. There is no `?` and no \
         `[]`: they are YAML's own signs."
        "tags: string[]"
    ENDLESS_TYPE "T002" "a type that contains itself without end"
        "A value of this type would contain a value of this type, and so on. Somewhere on the way there must be \
         `list of` or `map of`. A type that `is` another one comes down to something in sixteen steps."
        "Node: {fields: {next: Node}}"
    TYPE_SHAPE "T003" "a type is exactly one thing"
        "A type has exactly one of `fields` (an object), `enum` (words), `union` with `of` (variants), or `is` \
         (another type under a name of its own); bounds such as `min_len` go with `is` only."
        "Id: {is: string, fields: {id: string}}"
    BOUND_DOES_NOT_FIT "T004" "a bound that does not fit the type"
        "`min` and `max` go with numbers and money, `min_len` and `max_len` with text, `min_items` and `max_items` \
         with lists and maps, `open` with fields and enums."
        "label: {type: string, max: 64}"
    BOUNDS_CROSSED "T005" "a least value above the greatest"
        "No value could satisfy both bounds, or the bounds of a field and those of its type."
        "n: {type: int, min: 10, max: 1}"
    DEFAULT_DOES_NOT_FIT "T006" "a default that is not of the type"
        "What an absent field means must itself be a value of the field's type and within its bounds; and a field \
         that has a default is `optional`."
        "limit: {type: optional int, max: 10, default: 20}"
    BAD_VARIANT "T007" "a variant that does not fit its union"
        "A variant is an object: fields written in place, or the name of a type with `fields`. The field that tells \
         variants apart is written by the union; where a variant has it too, it must be `const` and the variant's \
         own name."
        "of: {image: string}"
    EMPTY_ENUM "T008" "nothing to choose from"
        "An enum has at least one word, a union at least one variant."
        "Status: {enum: []}"
    WORD_TWICE "T009" "a word is there twice"
        "The words of an enum, the states of a machine and the names in a list are written once each."
        "enum: [stop, length, stop]"
    NOT_FOR_A_PARAMETER "T010" "a type that a parameter cannot have"
        "Parameters of the path, query parameters and headers are single words on the wire: text, numbers, true or \
         false, an enum, or a type that `is` one of these. A parameter of the path is always there, so it is neither \
         `optional` nor `or null`."
        "path: {model: list of string}"
    NOT_A_BODY "T011" "a type that cannot stand here"
        "A body, a reply and an event are whole: no `optional`, no `or null`, no `const`. What `reads`, `multipart` or \
         `stream.when` look into is an object with `fields`."
        "ok: optional ChatCompletion"
    UNREADABLE_NUMBER "T012" "a number that cannot be kept exactly"
        "Numbers have at most nine decimals and no exponent, so that they are kept exactly. Bounds of `int` and `unix_seconds` \
         are whole numbers of 64 bits, amounts are 64 bits of nano-USD."
        "min: 0.0000000001"
    UNDOCUMENTED "T013" "a field without a word on what it means"
        "The service says `docs: required`: every field and parameter of a routed operation has a `doc`, those of the \
         types inside its body, its answer and its events too. Only a `const` speaks for itself. Each group of routed \
         operations has a text in `tags` of the service."
        "service: {name: shop, title: A Shop, docs: required}\ntypes:\n  Order: {fields: {total_usd: usd}}"
    SHARED_FIELDS "T015" "fields that cannot be shared"
        "`with` and `partial_of` name types with `fields`, other than the type itself."
        "Key: {with: KeyStatus}   # an enum"
    STATES_DRIFT "T014" "an enum that is not the states of its machine"
        "`states_of` names a machine, whose states are the words of the enum; written beside it, `enum` gives each state its \
         meaning. A warning where an enum has all states of a machine but one and does not say `states_of`."
        "OrderStatus: {states_of: order, enum: {pending: It waits., payed: It is over.}}"
    FILE_SHAPE "T016" "a file that is no answer"
        "A type with `media` is a file: it `is` a `string`, `bytes` or `json`, has media types such as `text/html`, and is all that \
         an operation answers with (`ok`)."
        "Page: {is: string, media: text/html}\nOrder: {fields: {page: Page}}"
    NOT_A_PART "T020" "a part of a form that is no text and no file"
        "A part of a form is a text, a number, a word or a file, or a list of such. An object goes in JSON, or as `json` in a \
         part that the handler reads."
        "types: {VideoForm: {fields: {size: Size}}}"
    SECRET_WRONG_WAY "T021" "a secret that goes the other way"
        "`secret: once` is of answers, which show it once. What a client sends is `secret: sent`."
        "types: {Login: {fields: {password: {type: string, secret: once}}}}"
}
