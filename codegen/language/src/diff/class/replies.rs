//! What clients receive: more room breaks them.

super::change_class::table! {
    "reply-removed" Wire Received Reply Gone => "`{subject}` is no longer answered";
    "reply-added" Wire Nobody Reply Come => "`{subject}` is answered";
    "reply-became-text" Wire Received PlainText On => "`{subject}` is a text as it is, no longer one in JSON";
    "reply-became-json" Wire Received PlainText Off => "`{subject}` is a text in JSON, no longer as it is";
    "reply-header-removed" Wire Received ReplyHeader Gone => "`{subject}` is no longer sent";
    "reply-header-added" Wire Nobody ReplyHeader Come => "`{subject}` may be sent";
    "reply-choice-removed" Wire Received Branch Gone => "`{subject}`: nothing is answered for `{key}` in particular";
    "reply-choice-added" Wire Received Branch Come => "`{subject}`: requests with `{key}` are answered by another reply";
    "reply-choice-reordered" Wire Received BranchOrder Other
        => "`{subject}`: what is asked first to choose the reply changed from {old} to {new}";
    "reply-field-removed" Wire Received [Received] Field Gone => "the field `{subject}` is no longer answered";
    "reply-field-added" Wire Nobody [Received] Field Come, Field Forced => "the new field `{subject}` is answered";
    "reply-became-optional" Wire Received [Received] Required Off => "`{subject}` may be absent";
    "reply-became-required" Wire Nobody [Received] Required On => "`{subject}` is always there";
    "reply-became-nullable" Wire Received [Received] Nullable On => "`{subject}` may be null";
    "reply-never-null" Wire Nobody [Received] Nullable Off => "`{subject}` is never null";
    "reply-type-widened" Wire Received [Received] Type Wider => "`{subject}` may be any `{new}`, not `{old}` only";
    "reply-type-narrowed" Wire Nobody [Received] Type Narrower => "`{subject}` is `{new}`, not any `{old}`";
    "reply-type-changed" Wire Received [Received] Type Other => "`{subject}` is `{new}`, no longer `{old}`";
    "reply-constant-changed" Wire Received [Received] Const Other => "`{subject}` is `{new}`, no longer `{old}`";
    "reply-range-widened" Wire Received [Received] Range Wider => "`{subject}`: the bound is {new}, no longer {old}";
    "reply-range-narrowed" Wire Nobody [Received] Range Narrower => "`{subject}`: the bound is {new}, no longer {old}";
    "reply-length-widened" Wire Received [Received] Length Wider
        => "`{subject}`: the bound is {new} characters, no longer {old}";
    "reply-length-narrowed" Wire Nobody [Received] Length Narrower
        => "`{subject}`: the bound is {new} characters, no longer {old}";
    "reply-items-widened" Wire Received [Received] Items Wider
        => "`{subject}`: the bound is {new} items, no longer {old}";
    "reply-items-narrowed" Wire Nobody [Received] Items Narrower
        => "`{subject}`: the bound is {new} items, no longer {old}";
    "reply-default-changed" Wire Received [Received] Default Gone, Default Other
        => "`{subject}`: that it is absent means {new}, no longer `{old}`";
    "reply-default-added" Wire Nobody [Received] Default Come => "`{subject}`: that it is absent means `{new}`";
    "reply-word-added" Wire Received [Received] EnumWord Forced => "`{subject}` is answered, a word nobody knew";
    "reply-word-added-to-open" Wire Nobody [Received] EnumWord Come => "`{subject}` is answered";
    "reply-word-removed" Source Received [Received] EnumWord Gone => "`{subject}` is no longer answered";
    "reply-variant-added" Wire Received [Received] Variant Forced
        => "the variant `{subject}` is answered, which nobody knew";
    "reply-variant-added-to-open" Wire Nobody [Received] Variant Come => "the variant `{subject}` is answered";
    "reply-variant-removed" Source Received [Received] Variant Gone => "the variant `{subject}` is no longer answered";
    "reply-tag-changed" Wire Received [Received] Tag Other
        => "the variants of `{subject}` are told apart by `{new}`, no longer by `{old}`";
    "reply-fields-closed" Source Received [Received] StructOpen Off => "`{subject}` has no fields of others";
    "reply-fields-opened" Wire Nobody [Received] StructOpen On => "`{subject}` may have fields of others";
    "reply-words-closed" Source Received [Received] EnumOpen Off => "`{subject}` is never a word that is not listed";
    "reply-words-opened" Wire Received [Received] EnumOpen On => "`{subject}` may be a word that is not listed";
    "reply-variants-closed" Source Received [Received] UnionOpen Off
        => "`{subject}` is never a variant that is not listed";
    "reply-variants-opened" Wire Received [Received] UnionOpen On
        => "`{subject}` may be a variant that is not listed";
    "reply-type-renamed" Source Received [Received] TypeName Other => "the type `{old}` is called `{new}`";
}
