//! State machines: what rows hold, what may happen to them, and who sees it.

super::change_class::table! {
    "machine-removed" Stored Kept Machine Gone => "there is no machine `{key}`";
    "machine-added" Stored Nobody Machine Come => "there is a machine `{key}`";
    "table-renamed" Stored Kept Table Other => "`{subject}` is the table `{new}`, no longer `{old}`";
    "column-renamed" Stored Kept Column Other => "`{subject}` is the column `{new}`, no longer `{old}`";
    "state-removed" Stored Kept State Gone => "rows can no longer be in `{subject}`";
    "state-added" Stored Nobody State Come => "rows can be in `{subject}`";
    "view-state-removed" Wire Received ViewState Gone => "`{subject}` is no longer told";
    "view-state-added" Wire Nobody ViewState Come => "`{subject}` is told";
    "view-mapping-changed" Wire Received ViewOf Other => "`{subject}` stands for `{new}`, no longer for `{old}`";
    "start-changed" Stored Kept Start Gone, Start Come, Start Other
        => "`{subject}`: rows begin as {new}, no longer as {old}";
    "state-became-final" Stored Kept Final On => "rows stay as they are once they are in `{subject}`";
    "state-no-longer-final" Wire Received Final Off => "what reached `{subject}` may still change";
    "move-removed" Stored Kept Move Gone => "rows can no longer make the move `{subject}`";
    "move-added" Stored Nobody Move Come => "rows can make the move `{subject}`";
    "move-start-removed" Stored Kept MoveFrom Gone => "rows in that state can no longer make the move: `{subject}`";
    "move-start-added" Stored Nobody MoveFrom Come => "rows in that state can make the move: `{subject}`";
    "move-end-changed" Stored Kept MoveTo Other => "`{subject}` leads to `{new}`, no longer to `{old}`";
    "move-actor-removed" Wire Sent Mover Gone => "it no longer makes the move: `{subject}`";
    "move-actor-added" Wire Nobody Mover Come => "it makes the move too: `{subject}`";
    "guard-added" Wire Sent MoveGuard Come => "a condition has to hold: `{subject}`";
    "guard-dropped" Wire Nobody MoveGuard Gone => "a condition need no longer hold: `{subject}`";
    "guard-changed" Wire Sent GuardText Other => "`{subject}` asks for `{new}`, no longer for `{old}`";
    "effect-removed" Wire Received MoveEffect Gone => "it no longer happens with the move: `{subject}`";
    "effect-added" Wire Nobody MoveEffect Come => "it happens with the move: `{subject}`";
    "effect-scope-changed" Wire Received EffectScope Gone, EffectScope Come, EffectScope Other
        => "`{subject}` happens once per {new}, no longer per {old}";
}
