//! X: examples.

super::diagnostic_code::codes! {
    DOES_NOT_FIT "X001" "a value that does not fit the shape of its place"
        "What an example sends and is answered with is held to the types of the operation, so that readers can trust it. Only \
         where the refusal of a request that does not fit is what is shown (`BAD_FIELD` and its like), anything may be sent."
        "send: {body: {model: 7}}"
    BAD_PARAMETER "X002" "a parameter that the operation does not have, or one that is missing"
        "`path:`, `query:` and `headers:` of `send` hold what the operation declares, and all that it cannot do without."
        "send: {query: {limt: 5}}"
    CODE_NOT_DECLARED "X003" "a code that the operation does not answer with"
        "An example expects a code of the `errors` of its operation, or one that the framework answers with."
        "expect: {code: ORDER_EXPIRED}"
    BAD_EXPECTATION "X004" "this cannot be answered"
        "A refusal has no `body`; `stream` and `late` are for operations with a stream; `status` is one that the answer can \
         have; `headers` are those of the operation's answers; and `varies` leads to parts of what is written."
        "expect: {status: 204}"
    NO_EXAMPLE "X005" "an operation or a code without an example"
        "With `examples: required` in `service`, every routed operation has an example of its success and of each of its \
         codes. Those whose cause cannot be given from outside stand in `untold`, with the reason. Left to the generator are \
         bad JSON, a wrong content type, a missing header, no credentials, those of a wrong kind, a body that is too large, \
         and a wrong method. A warning while the spec is worked on; an error with `--strict`, and where `CI` is set."
        "errors: [$auth, KEY_LIMIT]"
    NEEDLESS_REASON "X006" "a reason for nothing"
        "`untold` lists exactly what has no example: not what has one, and not what is not declared."
        "untold: {slow: {codes: [KEY_LIMIT], of: [chat.create], because: …}}"
    BAD_CALLER "X007" "this fixture cannot call"
        "Who calls is admitted by a scheme of the operation's `auth`: its fixture has that `caller:`, and gives a `secret`."
        "as: order_that_waits"
}
