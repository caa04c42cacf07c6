//! E: error codes, envelopes, limits, callers.

super::diagnostic_code::codes! {
    EVENT_WITHOUT_CODE "E001" "an event of the framework without a code"
        "Everything the server may answer by itself has a declared code, so that no answer is ever bare text. Needed are \
         the events that some operation can meet."
        "framework: {bad_json: BAD_JSON}"
    UNKNOWN_VALUE "E002" "a placeholder that the error does not carry"
        "`{field}` in `say` or `do` is filled from `with`."
        "say: \"no model '{modle}'\"\nwith: {model: string}"
    KIND_WITHOUT_NAME "E003" "a kind without a name in a style that is used"
        "Every envelope that says `{kind}` needs a name of every kind in its style."
        "kinds: {gone: {a: not_found_error}}"
    UNKNOWN_PLACEHOLDER "E004" "an unknown placeholder"
        "Placeholders of an envelope are `{say}` `{kind}` `{code}` `{param}` `{http}` `{request_id}` `{remedy}` \
         `{with}` `{data}`; after a name `?` (null when absent), `?omit` (the key is left out), `?\"\"` (empty), and \
         `{http:int}`."
        "message: \"{sya}\""
    BAD_PLACEHOLDER "E005" "a placeholder that is not one"
        "A placeholder is a name in braces. `?`, `?omit`, `?\"\"` and `:int` only work where the placeholder is the \
         whole value. Everything else in braces would be sent as it stands."
        "message: \"{say\""
    NO_ROOT_FAMILY "E006" "no family for `/`"
        "Every path belongs to a family, so that an answer outside all operations has a shape; `/` is the last resort."
        "families: {/v1: o}"
    LIMIT_SHAPE "E007" "a limit is exactly one bound"
        "A limit has exactly one of `count`, `seconds`, `minutes`, `bytes` and `usd`."
        "order_validity: {seconds: 600, minutes: 10}"
    BAD_SIZE "E008" "this is not a size"
        "A size is a number of bytes, or a number and a unit: `64 KiB`, `4 MiB`, `1 GiB`."
        "bytes: 4 MB"
    SCHEME_SHAPE "E009" "a scheme without a carrier"
        "A scheme says where the secret is: `header`, `query` or `cookie`. `prefix` belongs to a header."
        "auth: {bearer: {gives: [account]}}"
    WIRE_NAME_TAKEN "E010" "a name on the wire that stands for two headers"
        "Each name that is accepted on the wire belongs to one of our names, and none is another one or the header of a scheme."
        "a-version: {accepts: [x-version]}\nb-version: {accepts: [x-version]}"
    FAMILY_FORM "E011" "this is not a path prefix"
        "The key of a family begins with `/` and, but for `/` itself, does not end with it. After it may stand \
         `/{name}:{verb}`: then only those paths belong to the family that end with a verb, a colon and letters; and \
         then ` with ` and a header or `query.<name>`: then only those requests do that have it."
        "families: {v1: o}"
    PROOF_SHAPE "E012" "a proof of nothing"
        "A proof says what is signed on at least one family of chains."
        "proofs: {wallet_ownership: {}}"
    ANY_ORIGIN_SHAPE "E014" "this is not open to pages of any origin"
        "Below the prefixes of `any_origin`, pages of any origin may call, and so nothing there goes by a cookie: what a \
         browser sends by itself would be used by whoever has a page. A prefix begins with `/` and does not end with it."
        "service: {name: shop, any_origin: [/api/]}"
    REQUEST_OBJECT_SHAPE "E013" "a request object that cannot be looked up"
        "Kinds of an object are told by one of its `free` members, which `kind_in` names. A name that ends in `*` stands \
         for all kinds that begin so; a kind holds nothing, as members do."
        "chat.part: {doc: A part., members: {free: [text]}, kinds: {free: [text]}}"
    VALUE_NOT_OFFERED "E015" "a value that the runtime does not offer"
        "The runtime fills the code of an event with the values that the event offers, and with no others: a code that \
         carries another would be sent with a gap."
        "framework: {overloaded: RATE_LIMITED}\nRATE_LIMITED: {with: {limit: string}}"
    LIMIT_UNIT "E016" "a limit in another unit"
        "A body is bounded by a size in `bytes`, a depth or a number of parts by a `count`, a time by `seconds` or \
         `minutes`."
        "body: {type: Order, limit: pending_orders}\npending_orders: {count: 5}"
    BOUND_WITHOUT_LIMIT "E017" "a bound of the runtime without a limit"
        "The server bounds bodies, forms and times by itself, by limits of the spec. Needed are the bounds that some \
         operation has."
        "runtime_limits: {json_levels: json_depth}"
    NO_STATUS "E018" "a code without an HTTP status"
        "A code has the status that its `http` says, or that of its kind."
        "kinds: {odd: {a: odd_error, o: odd_error, g: ODD}}\nODD_ORDER: {kind: odd, say: it is odd, do: make it even}"
    SCHEMES_ALIKE "E021" "two schemes that one secret fits"
        "A request says by one scheme who calls. Two in the same header differ in their `prefix` or in how their keys start; \
         two in the same query parameter or cookie differ in how their keys start."
        "auth:\n  bearer: {header: authorization, gives: [account]}\n  agent: {header: authorization, gives: [agent]}"
    PREFIX_WITHOUT_END "E022" "a prefix that runs into the secret"
        "The secret follows the `prefix` at once, so a word ends with a blank."
        "prefix: Bearer"
    MISSPELT_SCOPE "E023" "the scope of a limit misspelt"
        "`per` is a free word; one that is a single slip away from a usual scope (`account`, `address`, `key`, `order`, \
         `request`, `user`, …) is taken for a mistake."
        "pending_orders: {count: 3, per: acount}"
    WIRE_CODE_TAKEN "E024" "a code on the wire for two kinds of errors"
        "Clients of a format act by the code that they read, so errors that share one in `names` are of one kind."
        "KEY_INVALID: {kind: authentication, names: {o: invalid}}\nBAD_FIELD: {kind: bad_request, names: {o: invalid}}"
    BAD_CHAIN "E025" "this is no id of a chain"
        "A chain is named by its CAIP-2 id: a namespace, a colon and a reference."
        "chains: [base]"
    RATE_OF_NOTHING "E026" "a rate that credits nothing"
        "`rate` is the credit in USD for each unit that is paid, and is above zero."
        "rate: 0"
}
