//! The service: its name, names on the wire, callers, proofs, rails, limits, request objects.

super::change_class::table! {
    "package-renamed" Source Both Package Other => "the packages are called `{new}`, no longer `{old}`";
    "any-origin-refused" Wire Sent AnyOrigin Gone => "pages of other origins can no longer call what is below `{key}`";
    "any-origin-admitted" Wire Nobody AnyOrigin Come => "pages of any origin may call what is below `{key}`";
    "operator-path-removed" Wire Nobody OperatorPath Gone => "what is below `{key}` is no longer kept for operators";
    "operator-path-added" Wire Nobody OperatorPath Come
        => "what is below `{key}` is kept for operators: a deployment may leave it out";
    "role-removed" Stored Kept Role Gone => "operators can no longer have the role `{key}`";
    "role-added" Stored Nobody Role Come => "operators can have the role `{key}`";
    "member-role-removed" Stored Kept MemberRole Gone => "members can no longer have the role `{key}`";
    "member-role-added" Stored Nobody MemberRole Come => "members can have the role `{key}`";
    "wire-names-removed" Wire Both WireName Gone => "`{key}` has no other names on the wire";
    "wire-names-added" Wire Nobody WireName Come => "`{key}` has other names on the wire";
    "wire-name-refused" Wire Sent Accepted Gone => "`{subject}` is no longer accepted";
    "wire-name-accepted" Wire Nobody Accepted Come => "`{subject}` is accepted";
    "wire-name-first-changed" Wire Received FirstName Other
        => "`{subject}` is sent as `{new}`, no longer as `{old}`";
    "scheme-removed" Wire Sent Scheme Gone => "there is no scheme `{key}`";
    "scheme-added" Wire Nobody Scheme Come => "there is a scheme `{key}`";
    "scheme-carrier-changed" Wire Sent Carrier Gone, Carrier Come, Carrier Other
        => "`{subject}` is {new}, no longer {old}";
    "key-form-changed" Wire Both KeyStart Gone, KeyStart Come, KeyStart Other
        => "`{subject}`: secrets begin with {new}, no longer with {old}";
    "caller-refused" Wire Sent Caller Gone => "`{subject}` is no longer admitted";
    "caller-admitted" Wire Nobody Caller Come => "`{subject}` is admitted";
    "proof-removed" Wire Nobody Proof Gone => "there is no proof `{key}`";
    "proof-added" Wire Nobody Proof Come => "there is a proof `{key}`";
    "proof-family-removed" Wire Sent ProofFamily Gone => "`{subject}` no longer proves anything";
    "proof-family-added" Wire Nobody ProofFamily Come => "`{subject}` proves it too";
    "proof-text-changed" Wire Sent Signed Gone, Signed Come, Signed Other => "`{subject}`: another text is signed";
    "rail-removed" Wire Both Rail Gone => "there is no rail `{key}`";
    "rail-added" Wire Nobody Rail Come => "there is a rail `{key}`";
    "rail-asset-changed" Wire Both Asset Gone, Asset Come, Asset Other
        => "`{subject}` is paid with {new}, no longer with {old}";
    "rail-signer-changed" Wire Sent Signer Gone, Signer Come, Signer Other
        => "`{subject}` is signed by {new}, no longer by {old}";
    "rail-credit-changed" Wire Received CreditOn Other => "`{subject}` credits on {new}, no longer on {old}";
    "rail-chain-removed" Wire Sent Chain Gone => "`{subject}` is no longer a chain to pay on";
    "rail-chain-added" Wire Nobody Chain Come => "`{subject}` is a chain to pay on";
    "rail-wallets-fewer" Wire Sent Wallets Narrower => "`{subject}` knows {new} wallets, no longer {old}";
    "rail-wallets-more" Wire Nobody Wallets Wider => "`{subject}` knows {new} wallets, no longer {old}";
    "rail-validity-shortened" Wire Sent Validity Narrower => "`{subject}` is payable for {new}, no longer {old}";
    "rail-validity-lengthened" Wire Nobody Validity Wider => "`{subject}` is payable for {new}, no longer {old}";
    "rail-rate-changed" Wire Both Rate Gone, Rate Come, Rate Other
        => "`{subject}` credits {new} USD per unit, no longer {old}";
    "limit-added" Wire Nobody Limit Come => "there is a limit `{key}`";
    "limit-removed" Wire Nobody Limit Gone => "there is no limit `{key}`";
    "limit-tightened" Wire Sent Size Narrower => "`{subject}` is {new}, no longer {old}";
    "limit-loosened" Wire Nobody Size Wider => "`{subject}` is {new}, no longer {old}";
    "limit-turned" Wire Sent Size Other => "`{subject}` is {new}, no longer {old}";
    "limit-amount-narrowed" Wire Sent Amount Narrower => "`{subject}` is bounded by {new} USD, no longer by {old}";
    "limit-amount-widened" Wire Nobody Amount Wider => "`{subject}` is bounded by {new} USD, no longer by {old}";
    "limit-unit-changed" Wire Sent Unit Other => "`{subject}` bounds {new}, no longer {old}";
    "limit-fixed" Wire Received Live Off => "`{subject}` can no longer be changed while the service runs";
    "limit-made-live" Wire Received Live On => "`{subject}` may change while the service runs";
    "limit-scope-changed" Wire Sent Scope Gone, Scope Come, Scope Other
        => "`{subject}` is counted per {new}, no longer per {old}";
    "limit-code-changed" Wire Received LimitCode Gone, LimitCode Come, LimitCode Other
        => "`{subject}` is answered with {new}, no longer with {old}";
    "limit-setting-changed" Stored Kept Setting Gone, Setting Other
        => "`{subject}` is set by {new}, no longer by `{old}` of the configuration";
    "limit-setting-added" Stored Nobody Setting Come => "`{subject}` is set by `{new}` of the configuration";
    "runtime-limit-tightened" Wire Sent RuntimeLimit Narrower => "`{subject}` is {new}, no longer {old}";
    "runtime-limit-loosened" Wire Nobody RuntimeLimit Wider => "`{subject}` is {new}, no longer {old}";
    "runtime-header-named" Wire Nobody RuntimeHeader Come => "`{subject}` is the header `{new}`";
    "runtime-header-renamed" Wire Both RuntimeHeader Gone, RuntimeHeader Other
        => "`{subject}` is the header {new}, no longer `{old}`";
    "request-object-added" Wire Nobody RequestObject Come => "requests may hold a `{key}`";
    "request-object-removed" Wire Nobody RequestObject Gone => "there is no request object `{key}`";
    "request-body-closed" Wire Sent BodyOf Come, BodyOf Other
        => "requests of format {new} are held against `{subject}`: unknown members are refused by name";
    "request-body-opened" Wire Nobody BodyOf Gone => "requests are no longer held against `{subject}`";
    "request-member-known" Wire Nobody KnownMember Come => "`{subject}` is known";
    "request-member-forgotten" Wire Sent KnownMember Gone => "`{subject}` is an unknown member";
    "request-text-reclassed" Wire Sent TextClass Other => "a text in the place of `{subject}` is {new}, no longer {old}";
    "request-member-reclassed" Wire Sent MemberClass Other => "`{subject}` is {new}, no longer {old}";
}
