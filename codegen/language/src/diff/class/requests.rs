//! What clients send: less room breaks them.

super::change_class::table! {
    "body-demanded" Wire Sent Body Come => "`{subject}` has to be sent";
    "body-dropped" Wire Sent Body Gone => "`{subject}` is no longer read";
    "body-json-refused" Wire Sent JsonBody Gone => "`{subject}` is no longer accepted";
    "body-json-accepted" Wire Nobody JsonBody Come => "`{subject}` is accepted";
    "body-form-refused" Wire Sent FormBody Gone => "`{subject}` is no longer accepted";
    "body-form-accepted" Wire Nobody FormBody Come => "`{subject}` is accepted";
    "body-raw-refused" Wire Sent RawBody Gone => "`{subject}` is no longer accepted";
    "body-raw-accepted" Wire Nobody RawBody Come => "`{subject}` is accepted";
    "body-cap-lowered" Wire Sent BodyCap Narrower => "`{subject}` may be of at most {new} bytes, no longer {old}";
    "body-cap-raised" Wire Nobody BodyCap Wider => "`{subject}` may be of {new} bytes, no longer {old} only";
    "query-parameter-removed" Wire Sent Query Gone => "`{subject}` is no longer read";
    "query-parameter-demanded" Wire Sent Query Forced => "`{subject}` has to be sent";
    "query-parameter-added" Wire Nobody Query Come => "`{subject}` may be sent";
    "header-removed" Wire Sent Header Gone => "`{subject}` is no longer read";
    "header-demanded" Wire Sent Header Forced => "`{subject}` has to be sent";
    "header-added" Wire Nobody Header Come => "`{subject}` may be sent";
    "request-field-removed" Wire Sent [Sent] Field Gone => "the field `{subject}` is no longer read";
    "request-field-demanded" Wire Sent [Sent] Field Forced => "the new field `{subject}` has to be sent";
    "request-field-added" Wire Nobody [Sent] Field Come => "the new field `{subject}` may be sent";
    "request-became-required" Wire Sent [Sent] Required On => "`{subject}` may no longer be left out";
    "request-became-optional" Wire Nobody [Sent] Required Off => "`{subject}` may be left out";
    "request-null-refused" Wire Sent [Sent] Nullable Off => "`{subject}` may no longer be null";
    "request-null-accepted" Wire Nobody [Sent] Nullable On => "`{subject}` may be null";
    "request-type-narrowed" Wire Sent [Sent] Type Narrower => "`{subject}` is `{new}`, no longer any `{old}`";
    "request-type-widened" Wire Nobody [Sent] Type Wider => "`{subject}` may be any `{new}`, not `{old}` only";
    "request-type-changed" Wire Sent [Sent] Type Other => "`{subject}` is `{new}`, no longer `{old}`";
    "request-constant-changed" Wire Sent [Sent] Const Other => "`{subject}` is `{new}`, no longer `{old}`";
    "request-range-narrowed" Wire Sent [Sent] Range Narrower => "`{subject}`: the bound is {new}, no longer {old}";
    "request-range-widened" Wire Nobody [Sent] Range Wider => "`{subject}`: the bound is {new}, no longer {old}";
    "request-length-narrowed" Wire Sent [Sent] Length Narrower
        => "`{subject}`: the bound is {new} characters, no longer {old}";
    "request-length-widened" Wire Nobody [Sent] Length Wider
        => "`{subject}`: the bound is {new} characters, no longer {old}";
    "request-items-narrowed" Wire Sent [Sent] Items Narrower
        => "`{subject}`: the bound is {new} items, no longer {old}";
    "request-items-widened" Wire Nobody [Sent] Items Wider => "`{subject}`: the bound is {new} items, no longer {old}";
    "request-default-dropped" Wire Sent [Sent] Default Gone
        => "`{subject}`: that it is absent no longer means `{old}`";
    "request-default-changed" Wire Sent [Sent] Default Other
        => "`{subject}`: that it is absent means `{new}`, no longer `{old}`";
    "request-default-added" Wire Nobody [Sent] Default Come => "`{subject}`: that it is absent means `{new}`";
    "request-word-removed" Wire Sent [Sent] EnumWord Gone => "`{subject}` may no longer be sent";
    "request-word-added" Wire Nobody [Sent] EnumWord Come, EnumWord Forced => "`{subject}` may be sent";
    "request-variant-removed" Wire Sent [Sent] Variant Gone => "the variant `{subject}` may no longer be sent";
    "request-variant-added" Wire Nobody [Sent] Variant Come, Variant Forced => "the variant `{subject}` may be sent";
    "request-tag-changed" Wire Sent [Sent] Tag Other
        => "the variants of `{subject}` are told apart by `{new}`, no longer by `{old}`";
    "request-fields-closed" Wire Sent [Sent] StructOpen Off => "`{subject}` may no longer have fields of others";
    "request-fields-opened" Wire Nobody [Sent] StructOpen On => "`{subject}` may have fields of others";
    "request-words-closed" Wire Sent [Sent] EnumOpen Off => "`{subject}` may no longer be a word that is not listed";
    "request-words-opened" Wire Nobody [Sent] EnumOpen On => "`{subject}` may be a word that is not listed";
    "request-variants-closed" Wire Sent [Sent] UnionOpen Off
        => "`{subject}` may no longer be a variant that is not listed";
    "request-variants-opened" Wire Nobody [Sent] UnionOpen On => "`{subject}` may be a variant that is not listed";
    "request-ignored-for-caller" Wire Sent [Sent] IgnoredFor Come, IgnoredFor Other
        => "`{subject}` has no meaning when it is sent by an {new}";
    "request-heard-from-caller" Wire Nobody [Sent] IgnoredFor Gone
        => "`{subject}` has a meaning when it is sent by an {old} too";
    "request-type-renamed" Source Sent [Sent] TypeName Other => "the type `{old}` is called `{new}`";
}
