//! N: names.

super::diagnostic_code::codes! {
    NAME_FORM "N001" "a name of the wrong form"
        "Operations are `group.verb` in snake case; types are UpperCamel; error codes UPPER_SNAKE; groups `$` and a \
         word; machines, states, moves, guards, effects, limits, facts and all others snake_case or kebab-case. \
         Names in the target languages are derived from these, so the form carries meaning."
        "types:\n  chat_request: {fields: {}}"
    RUST_NAME_CLASH "N002" "two names become one in Rust"
        "Names of the target languages are derived: `order_not_found` and `orderNotFound` both become \
         `order_not_found`, the operation `chat.create` becomes the trait `CreateChat`. Rename one of the two, or give \
         one a `name: {rust: …}`."
        "fields: {pageSize: int, page_size: int}"
    MADE_NAME "N004" "a name that the OpenAPI document makes of others"
        "The document names the parts of a form `ChatFormParts`, and the errors of an envelope `ErrorO`, `OpenErrorO`, \
         `ErrorCodeO` and, of two, `ErrorAOrO`. A type of such a name would be lost in it."
        "types: {ErrorO: {is: string}}"
}
