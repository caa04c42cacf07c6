//! Error codes, statuses, envelopes.

super::change_class::table! {
    "operation-code-added" Wire Received Answers Forced => "`{subject}` is answered, a code nobody knew";
    "operation-code-added-to-open" Wire Nobody Answers Come => "`{subject}` is answered";
    "operation-code-removed" Source Received Answers Gone => "`{subject}` is no longer answered";
    "operation-codes-opened" Wire Received ErrorsOpen On => "`{subject}` may answer with codes that are not listed";
    "operation-codes-closed" Source Received ErrorsOpen Off => "`{subject}` answers with no code that is not listed";
    "operation-status-fixed" Wire Received AlwaysHttp Come, AlwaysHttp Gone, AlwaysHttp Other
        => "`{subject}`: the status of every answer is {new}, it was {old}";
    "code-removed" Source Received Code Gone => "there is no code `{key}`";
    "code-added" Wire Nobody Code Come => "there is a code `{key}`";
    "code-status-changed" Wire Received Status Other => "`{subject}` has the status {new}, no longer {old}";
    "code-status-added" Wire Received AlsoStatus Come => "`{subject}` may have the status {key} too";
    "code-status-dropped" Wire Nobody AlsoStatus Gone => "`{subject}` never has the status {key}";
    "code-kind-changed" Wire Received CodeKind Other => "`{subject}` is of the kind `{new}`, no longer `{old}`";
    "code-renamed" Wire Received CodeWord Other => "`{subject}` is `{new}` on the wire, no longer `{old}`";
    "code-value-removed" Wire Received Carried Gone => "`{subject}` is no longer carried";
    "code-value-added" Wire Nobody Carried Come => "`{subject}` is carried";
    "code-value-type-changed" Wire Received CarriedType Other => "`{subject}` is `{new}`, no longer `{old}`";
    "code-sentence-changed" Wire Nobody Say Other => "`{subject}` says it in other words";
    "code-remedy-changed" Wire Nobody Remedy Other => "`{subject}` gives other advice";
    "code-retry-withdrawn" Wire Received Retry Narrower
        => "`{subject}`: when the same request may be sent again is `{new}`, no longer `{old}`";
    "code-retry-offered" Wire Nobody Retry Wider
        => "`{subject}`: when the same request may be sent again is `{new}`, no longer `{old}`";
    "kind-name-removed" Wire Received KindName Gone => "`{subject}` has no name";
    "kind-name-added" Wire Nobody KindName Come => "`{subject}` has a name";
    "kind-name-changed" Wire Received KindWord Other => "`{subject}` is `{new}` on the wire, no longer `{old}`";
    "framework-code-changed" Wire Received Event Other => "`{subject}` is answered with `{new}`, no longer with `{old}`";
    "framework-code-added" Wire Nobody Event Come => "`{subject}` is answered with `{new}`";
    "framework-code-removed" Wire Nobody Event Gone => "`{subject}` is no longer answered, before with `{old}`";
    "family-removed" Wire Received Family Gone
        => "paths below `{key}` that lead nowhere are answered as those around them";
    "family-added" Wire Received Family Come => "paths below `{key}` that lead nowhere are answered in a shape of their own";
    "envelope-field-removed" Wire Received EnvelopeField Gone => "`{subject}` is no longer in the error";
    "envelope-field-added" Wire Nobody EnvelopeField Come => "`{subject}` is in the error";
    "envelope-field-optional" Wire Received EnvelopeAbsent Wider => "`{subject}` may be missing: `{new}`";
    "envelope-field-certain" Wire Nobody EnvelopeAbsent Narrower => "`{subject}` is there more often: `{new}`";
    "envelope-value-lost" Wire Received EnvelopeHolders Narrower => "`{subject}` tells {new}, no longer {old}";
    "envelope-value-gained" Wire Nobody EnvelopeHolders Wider => "`{subject}` tells {new}, no longer {old} only";
    "envelope-constant-changed" Wire Received EnvelopeText Other => "`{subject}` is `{new}`, no longer `{old}`";
    "envelope-style-changed" Wire Received Style Other
        => "`{subject}` names kinds and codes as in style `{new}`, no longer `{old}`";
}
