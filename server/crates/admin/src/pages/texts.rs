//! The words of the console. Another language is another file of this kind, with a value of [`Texts`].

use tollgate_api::Usd;
use tollgate_api::generated::types::{AccountSort, AccountState, KeyStatus, OperatorKind, OperatorRole, OperatorState};
use tollgate_base::rfc3339;

/// Declares [`Texts`] and their first language in one list.
macro_rules! texts {
    ($language:ident; $($name:ident: $text:literal,)*) => {
        /// Every text of the console. `{name}` stands for a field of the form that it is shown with.
        #[derive(Debug)]
        pub(super) struct Texts {
            $(pub(super) $name: &'static str,)*
        }

        /// In English.
        pub(super) static $language: Texts = Texts { $($name: $text,)* };
    };
}

texts! { ENGLISH;
    language: "en",
    product: "Tollgate",
    console: "Operator's console",
    skip: "Skip to the content",
    navigation: "Pages",
    signed_in_as: "Signed in as",
    sign_out: "Sign out",
    no_script: "This console asks for changes by a script, and scripts are switched off in this browser.",
    not_reached: "The server could not be reached. Nothing is known of what it did; look before you try again.",
    cancel: "Cancel",
    confirm: "Please confirm",
    copy: "Copy",
    copied: "Copied",
    close: "Close",
    yes: "Yes",
    no: "No",
    any: "Any",
    filter: "Filter",
    show: "Show",
    next_page: "Next page",
    as_csv: "Download as CSV",
    reason: "Reason",
    reason_optional: "Reason (optional)",
    name: "Name",
    number: "Number",
    state: "State",
    made: "Made",
    role: "Role",

    sign_in: "Sign in",
    password: "Password",
    code: "Code",
    code_hint: "The six digits that your authenticator app shows now.",
    have_invitation: "I have an invitation",
    have_password: "I have a password",

    invitation: "Invitation",
    accept_invitation: "Accept an invitation",
    invitation_hint: "The text that an owner gave you. It works once.",
    go_on: "Continue",
    bind_factor: "Bind a second factor",
    bind_factor_for: "The account is for",
    bind_factor_hint: "Scan this code with an authenticator app, or type the secret into it. It is shown here only.",
    qr_code: "QR code of the second factor",
    secret: "Secret",
    choose_password: "Choose a password",
    password_hint: "At least 12 characters.",
    password_again: "Password again",
    passwords_differ: "The two passwords differ.",
    accept: "Accept and sign in",

    overview: "Overview",
    in_numbers: "In numbers",
    keys_active: "Keys in use",
    operators_active: "Operators let in",
    available_in_all: "Credit available",
    held_in_all: "Held by requests",
    owed_in_all: "Owed to you",
    last_changes: "Last changes",
    all_changes: "All changes",
    first_steps: "First steps",
    first_steps_hint: "What this server needs before it earns anything.",
    done: "Done",
    open: "Open",
    go_there: "Go there",
    step_provider: "A provider in the configuration",
    step_provider_line: "[upstreams.main]",
    step_model: "A model on offer",
    step_model_line: "[models.small-1]",
    step_price: "A price for the model; without one it is refused",
    step_price_line: "price = { prompt = \"0.15\", completion = \"0.6\", version = \"1\" }",
    step_account: "An account",
    step_key: "A key of an account",
    step_request: "A request that was charged",
    step_request_line: "curl https://YOUR-GATEWAY/v1/chat/completions -H 'authorization: Bearer sk-…' -H 'content-type: application/json' \
        -d '{\"model\": \"small-1\", \"messages\": [{\"role\": \"user\", \"content\": \"Hello\"}]}'",

    accounts: "Accounts",
    accounts_caption: "Accounts with their credit in US dollars",
    search: "Name or number",
    group: "Group",
    sort: "Order",
    available: "Available",
    held: "Held",
    owed: "Owed",
    no_accounts: "No account fits.",
    new_account: "New account",
    note: "Note",
    note_optional: "Note for operators (optional)",
    make_account: "Make the account",
    account_made: "The account is made.",

    credit: "Credit",
    grant: "Grant credit",
    grant_done: "The credit is granted.",
    grant_confirm: "Grant {usd} USD to the account {account}?",
    take: "Take credit back",
    take_done: "The credit is taken back.",
    take_confirm: "Take {usd} USD from the account {account}?",
    usd: "Amount in US dollars",
    usd_hint: "Digits and at most one dot, as in 25 or 0.50.",
    debt: "The account owes what it does not have available",
    change_account: "Group and note",
    save: "Save",
    saved: "It is saved.",
    freeze: "Freeze the account",
    freeze_hint: "Its keys are refused within a second and its sessions end. Its money stays where it is.",
    freeze_confirm: "Freeze the account {account}?",
    frozen_done: "The account is frozen.",
    thaw: "Thaw the account",
    thaw_hint: "Its keys are accepted again.",
    thaw_confirm: "Thaw the account {account}?",
    thawed_done: "The account is thawed.",

    keys: "Keys",
    keys_caption: "Keys of the account, the newest first",
    no_keys: "It has no key.",
    key: "Key",
    label: "Label",
    expires: "Expires",
    never: "Never",
    action: "Action",
    new_key: "New key",
    make_key: "Make the key",
    key_made: "The key is made",
    key_hint: "It is shown here only. Keep it where its user finds it.",
    expires_optional: "Expires (optional, in your time zone)",
    revoke: "Revoke",
    revoke_confirm: "Revoke the key {label} ({key}) for ever?",
    revoked_done: "The key is revoked.",

    operators: "Operators",
    operators_caption: "Operators by name, disabled ones included",
    kind: "Kind",
    enrolled: "Invitation accepted",
    new_operator: "New operator",
    new_operator_hint: "A person signs in with a password and a second factor. A key is for a program.",
    make_operator: "Make the operator",
    operator_made: "The operator is made",
    invited_hint: "Give this address to the person. It works once, within three days, and is shown here only.",
    operator_key_hint: "The key of the operator. It is shown here only.",
    expires_key_optional: "Expires (optional, of a key, in your time zone)",

    operator_state: "As it stands",
    invitation_ends: "Invitation ends",
    change_role: "Change the role",
    role_hint: "The sessions end with it.",
    disable: "Disable the operator",
    disable_hint: "It is let in no more, and the sessions end. A key stays disabled.",
    disable_confirm: "Disable the operator {operator}?",
    disabled_done: "The operator is disabled.",
    enable: "Let the operator in again",
    enable_confirm: "Let the operator {operator} in again?",
    enabled_done: "The operator is let in again.",
    invite_anew: "Invite anew",
    invite_hint: "For who has lost the password or the second factor. Both are taken away at once, and the sessions end.",
    invite_confirm: "Take password and second factor of {operator} away, and make an invitation?",
    sessions: "Sessions",
    sessions_caption: "Sessions that are not over, the newest first",
    no_sessions: "There is no session.",
    address: "Address",
    browser: "Browser",
    begun: "Begun",
    last_use: "Last use",
    ends_at_latest: "Ends at the latest",
    end: "End",
    end_all: "End all sessions",
    end_confirm: "End this session?",
    end_all_confirm: "End all sessions of {operator}?",
    ended_done: "It has ended.",

    changes: "Changes",
    changes_caption: "The log of changes, the newest first",
    no_changes: "No change fits.",
    time: "Time",
    who: "Who",
    act: "Act",
    subject: "Of what",
    detail: "Details",
    before: "Before",
    after: "After",
    actor_hint: "As in: operator ada",
    act_hint: "As in: credit.grant",
    subject_hint: "Most often a number",
    from_day: "From this day (UTC)",
    to_day: "Before this day (UTC)",

    state_active: "Active",
    state_frozen: "Frozen",
    state_revoked: "Revoked",
    state_disabled: "Disabled",
    sort_name: "By name",
    sort_newest: "Newest first",
    sort_richest: "Most credit first",
    kind_person: "Person",
    kind_key: "Key",
    role_owner: "Owner: everything",
    role_operator: "Operator: accounts, keys, models and prices",
    role_finance: "Finance: money",
    role_support: "Support: keys",
    role_reader: "Reader: reading alone",
}

impl Texts {
    pub(super) fn account_state(&self, state: &AccountState) -> &'static str {
        match state {
            AccountState::Active => self.state_active,
            AccountState::Frozen => self.state_frozen,
        }
    }

    pub(super) fn key_status(&self, status: &KeyStatus) -> &'static str {
        match status {
            KeyStatus::Active => self.state_active,
            KeyStatus::Revoked => self.state_revoked,
        }
    }

    pub(super) fn operator_state_of(&self, state: &OperatorState) -> &'static str {
        match state {
            OperatorState::Active => self.state_active,
            OperatorState::Disabled => self.state_disabled,
        }
    }

    pub(super) fn operator_kind(&self, kind: &OperatorKind) -> &'static str {
        match kind {
            OperatorKind::Person => self.kind_person,
            OperatorKind::Key => self.kind_key,
        }
    }

    pub(super) fn account_sort(&self, sort: &AccountSort) -> &'static str {
        match sort {
            AccountSort::Name => self.sort_name,
            AccountSort::Newest => self.sort_newest,
            AccountSort::Richest => self.sort_richest,
        }
    }

    /// A role with what it may do.
    pub(super) fn operator_role(&self, role: &OperatorRole) -> &'static str {
        match role {
            OperatorRole::Owner => self.role_owner,
            OperatorRole::Operator => self.role_operator,
            OperatorRole::Finance => self.role_finance,
            OperatorRole::Support => self.role_support,
            OperatorRole::Reader => self.role_reader,
        }
    }

    /// The word of a role.
    pub(super) fn role_word(&self, role: &OperatorRole) -> &'static str {
        let text = self.operator_role(role);
        text.split_once(':').map_or(text, |(word, _)| word)
    }

    /// A time in unix seconds: `2026-11-27 04:30:00 UTC`.
    pub(super) fn time(&self, seconds: &i64) -> String {
        self.moment(&rfc3339(seconds.saturating_mul(1000)))
    }

    /// A time of the API, to the second.
    pub(super) fn moment(&self, rfc3339: &str) -> String {
        let (day, time) = rfc3339.split_once('T').unwrap_or((rfc3339, ""));
        let time = time.split(['.', 'Z']).next().unwrap_or_default();
        format!("{day} {time} UTC")
    }

    /// An amount with at least two places, and all that it has.
    pub(super) fn amount(&self, usd: &Usd) -> String {
        let text = usd.to_string();
        let places = text.split_once('.').map_or(0, |(_, places)| places.len());
        match places {
            0 => format!("{text}.00"),
            1 => format!("{text}0"),
            _ => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_amounts_are_told_to_people() {
        assert_eq!(ENGLISH.time(&1_795_538_948), "2026-11-24 16:49:08 UTC");
        assert_eq!(ENGLISH.moment("2026-11-27T03:00:00.125Z"), "2026-11-27 03:00:00 UTC");
        for (usd, told) in [("3", "3.00"), ("0.5", "0.50"), ("-1.25", "-1.25"), ("0.000000001", "0.000000001")] {
            assert_eq!(ENGLISH.amount(&usd.parse().unwrap()), told);
        }
    }
}
