//! O: operations.

super::diagnostic_code::codes! {
    BAD_ROUTE "O001" "this is not a route"
        "A route is a method and a path: `POST /v1/things/{id}`. A piece of the path is a word or `{name}`; the last one \
         may be `{*name}`, which takes the rest of the path, or `{name}:verb`."
        "route: POST v1/things"
    PARAMETER_NOT_DESCRIBED "O002" "a parameter of the route is not in `path`"
        "`path:` describes exactly the parameters of the route, and those of every route in `also`."
        "route: GET /v1/things/{id}"
    PARAMETER_NOT_IN_ROUTE "O003" "a parameter that the route does not have"
        "`path:` describes exactly the parameters of the route, and those of every route in `also`."
        "route: GET /v1/things/{id}\npath: {thing: string}"
    ROUTE_TWICE "O004" "two operations have the same route"
        "Two routes with the same method may not be equal once the names of their parameters are erased: \
         `/x/{id}` and `/x/{name}` are the same to a router."
        "GET /x/{id}   # and GET /x/{name}"
    ROUTES_OVERLAP "O005" "two routes that some path fits both of"
        "Neither is the more exact one: `/x/{id}/new` and `/x/last/{part}` both fit `/x/last/new`, and which one wins \
         would depend on the router. (`/x/{id}` beside `/x/last` is fine: the word wins.)"
        "GET /x/{id}/new   # and GET /x/last/{part}"
    NO_REPLY "O006" "an operation without a reply"
        "An operation says what it answers, in one way: `ok:`, `data:` in an envelope with a `reply`, or one `ok` for each \
         branch of `select`."
        "keys.list: {route: GET /api/keys, envelope: account, auth: public}"
    ELSE_LAST "O007" "the last branch, and only the last, is `else`"
        "The first branch that fits decides, so the last one must fit always: `{else: true, …}`, without `has` or \
         `has_any`; and all others must ask for something."
        "select:\n  - {has: [a-version], envelope: a, ok: ModelA}"
    UNREACHABLE_BRANCH "O008" "a branch that is never taken"
        "An earlier branch fits whenever this one does."
        "- {has: [a-version], …}\n- {has: [a-version, x-api-key], …}"
    STREAM_SWITCH "O009" "`stream.when` is no switch"
        "The switch between a whole reply and a stream is `body.field`, where the field is of type `bool`, or \
         `query.name=word`, where the query parameter is a `string`."
        "stream: {when: body.model, event: Chunk}"
    READS_WITHOUT_PROXY "O010" "`reads` or `converts` without `proxy`"
        "`reads` picks the few fields that decide while the body stays the client's bytes. Only an operation with \
         `proxy: true` passes bytes on; all others read the whole body."
        "body: {type: ChatRequest, reads: [model]}"
    ERROR_TWICE "O011" "an error code is listed twice"
        "Once by itself and once by a group, or twice in the same list."
        "errors: [$auth, KEY_MISSING]"
    BODY_ON_GET "O012" "a body on a method that has none"
        "`GET` and `DELETE` carry no body; use query parameters."
        "route: GET /v1/models\nbody: ModelQuery"
    BODY_SHAPE "O013" "a body is one thing"
        "A body is JSON (`type`) or a form (`multipart`) or both, or else raw bytes (`raw`) and nothing beside."
        "body: {raw: Payload, type: Payload}"
    LIMIT_WITHOUT_ERROR "O014" "a limit whose error the operation does not have"
        "The operation is bound by a limit that answers with a code that is not in the operation's `errors`."
        "limits: [x402_pending_orders]\nerrors: [$auth]"
    HEADER_TWICE "O015" "two headers that are one on the wire"
        "Names of headers have no case, and a name from `wire_names` stands for all its spellings."
        "headers: {a-version: string, A-Version: string}"
    RESERVED_PARAMETER "O016" "the same parameter in two places"
        "Parameters of path, query and headers become fields of one input."
        "path: {id: int}\nquery: {id: optional int}"
    NOT_GENERATED "O017" "a sound operation that the server cannot route yet"
        "The spec is right, but the generator of the server does not know how to do it. `stage: planned` keeps it in \
         the documents meanwhile."
        "body: {multipart: VideoForm}\nstage: routed"
    CREDENTIAL_TAKEN "O018" "a credential that is taken as a parameter"
        "What carries the secret of a scheme is a credential. Only an operation that admits by the scheme may describe it as a \
         parameter."
        "auth: public\nheaders: {authorization: optional string}"
    STREAM_END "O019" "a stream that ends with no event of it"
        "`ends_with` names kinds of the stream's events, where these are a union; a stream whose events have no names may end with \
         a literal line instead, such as `[DONE]`."
        "stream: {event: MessagesEvent, named: true, ends_with: message_end}"
    DEPRECATION "O021" "a deprecation that makes no sense"
        "An operation is deprecated `since` one day and goes, if it does, `until` a later one. What takes its place is another \
         operation, which is served and not deprecated itself."
        "deprecated: {since: 2026-11-21, until: 2026-01-01, use: keys.create}"
    SAID_NOWHERE "O020" "something that neither an operation nor its family says"
        "An operation has an `envelope` and callers (`auth`): its own, or those of the family with the longest prefix that its \
         route begins with."
        "families: {/: o}\nkeys.list: {route: GET /api/keys, ok: KeyList}   # who may call it?"
    WRONG_PATH "O024" "a path to nothing of the reply"
        "`pages` and `csv` name fields of the reply, one inside the other: `data.things`. `items` and `rows` lead to a list, \
         `next` to a text, `more` to a bool; `by` is an optional text of `query`; `header` is one of `reply_headers`."
        "pages: {items: data.thing, by: after, next: data.next}"
    IDEMPOTENCY_KEY "O025" "an Idempotency-Key that cannot be kept"
        "An operation with `idempotency_key` changes something for a caller, may not be sent twice as it is, and lists the \
         codes of the framework's events `idempotency_in_flight`, `idempotency_done` and `idempotency_mismatch`."
        "route: GET /v1/orders\nidempotency_key: true"
    CONDITIONAL "O026" "an answer that has no tag to ask by"
        "Only a GET is `conditional`, and its `reply_headers` have `etag`."
        "route: POST /v1/files\nconditional: true"
    ROLES "O027" "roles that do not fit the callers"
        "An operation of operators names the least `roles` that may call it; any other has none. Its schemes are all of operators, \
         or none of them is."
        "auth: [bearer]\nroles: [viewer]"
    MEMBERS "O028" "members that do not fit the callers"
        "Where the spec has `member_roles`, an operation that a session of an account may call names the least of them in `members`, \
         so that a new one never admits every member by silence; any other has none."
        "auth: [bearer]\nmembers: [viewer]"
}
