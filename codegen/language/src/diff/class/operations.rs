//! Operations: routes, callers, streams, limits, names.

super::change_class::table! {
    "operation-removed" Wire Both Operation Gone => "`{subject}` is no longer served";
    "operation-added" Wire Nobody Operation Come => "`{subject}` is served";
    "operation-renamed" Source Both OperationId Other => "the operation `{old}` is called `{new}`";
    "generated-name-changed" Source Both Name Gone, Name Come, Name Other
        => "`{subject}` is `{new}` in generated code, no longer `{old}`";
    "route-removed" Wire Both RoutePath Gone => "`{subject}` no longer answers at `{key}`";
    "route-added" Wire Nobody RoutePath Come => "`{subject}` answers at `{key}` too";
    "method-removed" Wire Both Method Gone => "`{subject}` no longer answers to {key}";
    "method-added" Wire Nobody Method Come => "`{subject}` answers to {key} too";
    "path-parameter-renamed" Source Sent ParameterName Other => "the path parameter `{old}` is called `{new}`";
    "operation-parameters-begun" Source Sent Parameters On
        => "calls of `{subject}` take parameters before their options, which took none";
    "operation-parameters-dropped" Source Sent Parameters Off
        => "calls of `{subject}` take no parameters before their options any more";
    "operation-protected" Wire Sent Public Off => "`{subject}` needs credentials that nobody had to send before";
    "operation-made-public" Wire Nobody Public On => "`{subject}` needs no credentials";
    "scheme-withdrawn" Wire Sent Admits Gone => "`{subject}`: the scheme `{key}` no longer admits a caller";
    "scheme-admitted" Wire Nobody Admits Come => "`{subject}`: the scheme `{key}` admits a caller too";
    "role-refused" Wire Sent AdmitsRole Gone => "`{subject}`: operators of the role `{key}` may no longer call it";
    "role-admitted" Wire Nobody AdmitsRole Come => "`{subject}`: operators of the role `{key}` may call it";
    "member-refused" Wire Sent AdmitsMember Gone => "`{subject}`: members of the role `{key}` may no longer call it";
    "member-admitted" Wire Nobody AdmitsMember Come => "`{subject}`: members of the role `{key}` may call it";
    "proof-demanded" Wire Sent AskedProof Come => "`{subject}`: the proof `{key}` has to be sent";
    "proof-no-longer-demanded" Wire Nobody AskedProof Gone => "`{subject}`: the proof `{key}` need not be sent";
    "session-effect-changed" Wire Both Session Gone, Session Come, Session Other
        => "`{subject}`: what it does to the session changed from {old} to {new}";
    "proxy-switched-off" Wire Both Proxy Off => "`{subject}` no longer passes on what it does not know";
    "proxy-switched-on" Wire Nobody Proxy On => "`{subject}` passes on what it does not know";
    "idempotency-withdrawn" Wire Sent Idempotent Off => "`{subject}` may no longer be sent twice without harm";
    "idempotency-promised" Wire Nobody Idempotent On => "`{subject}` may be sent twice without harm";
    "idempotency-key-withdrawn" Wire Sent OnceKey Off
        => "`{subject}` is no longer carried out once for each Idempotency-Key";
    "idempotency-key-honoured" Wire Nobody OnceKey On => "`{subject}` is carried out once for each Idempotency-Key";
    "conditional-requests-answered" Wire Nobody Conditional On
        => "`{subject}`: who names the version that is there is answered without a body";
    "conditional-requests-ignored" Wire Nobody Conditional Off
        => "`{subject}`: who names the version that is there is answered with all of it";
    "operation-deprecated" Wire Nobody Deprecated Come => "`{subject}` should not be used any more, since {new}";
    "operation-no-longer-deprecated" Wire Nobody Deprecated Gone => "`{subject}` may be used again";
    "deprecation-changed" Wire Nobody Deprecated Other => "`{subject}` should not be used any more since {new}, and not {old}";
    "sunset-set" Wire Both Sunset Come => "`{subject}` may be gone from {new} on";
    "sunset-taken-back" Wire Nobody Sunset Gone => "`{subject}` stays, and does not go on {old}";
    "sunset-moved" Wire Both Sunset Other => "`{subject}` may be gone from {new} on, and not from {old}";
    "operation-limit-added" Wire Sent BoundBy Come => "`{subject}`: the limit `{key}` holds here too";
    "operation-limit-dropped" Wire Nobody BoundBy Gone => "`{subject}`: the limit `{key}` no longer holds here";
    "operation-move-added" Wire Nobody Moves Come => "`{subject}`: it makes the move `{key}`";
    "operation-move-dropped" Wire Nobody Moves Gone => "`{subject}`: it no longer makes the move `{key}`";
    "stream-removed" Wire Both Stream Gone => "`{subject}` can no longer be asked for";
    "stream-added" Wire Nobody Stream Come => "`{subject}` can be asked for";
    "stream-switch-changed" Wire Sent StreamSwitch Gone, StreamSwitch Come, StreamSwitch Other
        => "`{subject}` is asked for by {new}, no longer by {old}";
    "stream-end-changed" Wire Received StreamEnd Gone, StreamEnd Come, StreamEnd Other
        => "`{subject}` ends with {new}, no longer with {old}";
    "stream-names-dropped" Wire Received StreamNames Off => "the events of `{subject}` no longer have a name line";
    "stream-names-added" Wire Received StreamNames On => "the events of `{subject}` have a name line";
    "csv-removed" Wire Received Csv Gone => "`{subject}` can no longer be asked for";
    "csv-added" Wire Nobody Csv Come => "`{subject}` can be asked for";
    "csv-changed" Wire Received CsvRows Other => "`{subject}` is told by `{new}`, no longer by `{old}`";
    "pages-begun" Wire Received Pages Forced
        => "`{subject}`: who asks as before is answered with the first page of the list alone";
    "pages-added" Wire Nobody Pages Come => "`{subject}`: how the list goes on is told";
    "pages-removed" Source Received Pages Gone => "`{subject}`: how the list goes on is no longer told";
    "pages-items-moved" Wire Received PageItems Other => "`{subject}`: the list is `{new}`, no longer `{old}`";
    "pages-parameter-changed" Wire Sent PageParameter Other
        => "`{subject}`: a later page is asked for by `{new}`, no longer by `{old}`";
    "pages-cursor-changed" Wire Received PageCursor Other
        => "`{subject}`: what the next page is asked for with is `{new}`, no longer `{old}`";
    "pages-end-changed" Wire Received PageEnd Gone, PageEnd Come, PageEnd Other
        => "`{subject}`: whether there is a next page is told by {new}, no longer by {old}";
}
