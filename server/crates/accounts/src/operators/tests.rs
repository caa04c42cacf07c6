//! Operators are made, invited, let in by key or by password and second factor, changed, and shut out.

use std::net::IpAddr;

use tempfile::TempDir;

use super::second_factor::TotpSecret;
use super::*;
use tollgate_base::{ManualClock, OperatorId, Secret};
use tollgate_store::testing::{On, on_both, temporary_on};
use tollgate_store::{ChangeFilter, LoggedChange, changes};

const PASSWORD: &str = "correct horse battery";
const STEP_MS: i64 = 30_000;

struct Fixture {
    operators: OperatorService,
    hand: ManualClock,
    _folder: TempDir,
}

async fn fixture(on: On) -> Fixture {
    let (clock, hand) = Clock::manual(1_000_000_000);
    let (folder, _, store) = temporary_on(on, &clock).await;
    Fixture { operators: OperatorService::new(store, clock), hand, _folder: folder }
}

/// A person with a second factor at hand.
struct Enrolled {
    id: OperatorId,
    factor: TotpSecret,
    begun: BegunOperatorSession,
}

fn from(last: u8) -> Option<IpAddr> {
    Some([192, 0, 2, last].into())
}

fn ask(name: &str, password: &str, code: &str) -> OperatorSignIn {
    OperatorSignIn {
        name: name.to_owned(),
        password: Secret::new(password.to_owned()),
        code: Secret::new(code.to_owned()),
        from: from(1),
        browser: "a browser\n".to_owned(),
    }
}

impl Fixture {
    fn code(&self, factor: &TotpSecret) -> String {
        factor.code(self.operators.clock.now_ms() / STEP_MS)
    }

    async fn enrolled(&self, name: &str, role: OperatorRole) -> Enrolled {
        let invited = self.operators.create_person(name, role, "test").await.unwrap();
        let invitation = invited.invitation.reveal();
        let offered = self.operators.offer_second_factor(invitation, "Gateway", from(1)).await.unwrap();
        assert_eq!(offered.name, name);
        let factor = TotpSecret::read(offered.secret.reveal()).unwrap();
        let accepted = ask("", PASSWORD, &self.code(&factor));
        let begun = self.operators.accept(invitation, offered.secret.reveal(), accepted).await.unwrap();
        Enrolled { id: invited.operator.id, factor, begun }
    }

    async fn sign_in(&self, name: &str, password: &str, code: &str) -> &'static str {
        outcome(self.operators.sign_in(ask(name, password, code)).await)
    }

    async fn by_session(&self, token: &Secret) -> &'static str {
        outcome(self.operators.by_session(token.reveal()).await)
    }

    async fn log(&self, subject: &str) -> Vec<LoggedChange> {
        let filter = ChangeFilter {
            before: i64::MAX,
            since_ms: 0,
            until_ms: i64::MAX,
            actor: "",
            action: "",
            subject,
            limit: 100,
        };
        changes(self.operators.store.readers(), &filter).await.unwrap()
    }
}

fn outcome<T>(result: Result<T, OperatorRejection>) -> &'static str {
    match result {
        Ok(_) => "in",
        Err(OperatorRejection::Unknown) => "unknown",
        Err(OperatorRejection::Disabled) => "disabled",
        Err(OperatorRejection::Over) => "over",
        Err(OperatorRejection::TooMany { .. }) => "too many",
        Err(OperatorRejection::PasswordUnfit) => "password unfit",
        Err(OperatorRejection::CodeWrong) => "code wrong",
        Err(error) => panic!("{error}"),
    }
}

async fn a_key_lets_in_until_it_ends_or_is_disabled(on: On) {
    let fixture = fixture(on).await;
    let operators = &fixture.operators;
    let owner = operators.create_key("root", OperatorRole::Owner, None, "test").await.unwrap();
    let now_ms = operators.clock.now_ms();
    let short = operators.create_key("ci", OperatorRole::Reader, Some(now_ms + 1_000), "test").await.unwrap();
    let caller = operators.by_key(short.secret.reveal()).await.unwrap();
    assert_eq!((caller.operator, &*caller.name, caller.role), (short.operator.id, "ci", "reader"));
    assert_eq!(outcome(operators.by_key("op-x").await), "unknown");
    assert_eq!(outcome(operators.by_key(crate::key::draw(crate::key::OPERATOR).reveal()).await), "unknown");
    assert_eq!(outcome(operators.by_key(&owner.secret.reveal().replacen("op-", "sk-", 1)).await), "unknown");
    fixture.hand.advance_ms(1_000);
    assert_eq!(outcome(operators.by_key(short.secret.reveal()).await), "over");
    let disable = OperatorChange { state: Some(OperatorState::Disabled), role: None };
    operators.change(short.operator.id, disable, |_| true, "test").await.unwrap();
    assert_eq!(outcome(operators.by_key(short.secret.reveal()).await), "disabled");
    let again = OperatorChange { state: Some(OperatorState::Active), role: None };
    let refused = operators.change(short.operator.id, again, |_| true, "test").await;
    assert!(matches!(refused, Err(OperatorError::KeyDisabled)));
    let invited = operators.invite(owner.operator.id, true, "test").await;
    assert!(matches!(invited, Err(OperatorError::NotAPerson)));
}

async fn names_are_unique_and_fit(on: On) {
    let fixture = fixture(on).await;
    let operators = &fixture.operators;
    operators.create_person("ada", OperatorRole::Owner, "test").await.unwrap();
    let taken = operators.create_key("ada", OperatorRole::Reader, None, "test").await;
    assert!(matches!(taken, Err(OperatorError::NameTaken)));
    for name in ["", " ada", "a\nb", "42", &"x".repeat(65)] {
        let refused = operators.create_person(name, OperatorRole::Reader, "test").await;
        assert!(matches!(refused, Err(OperatorError::NameInvalid)), "{name:?}");
    }
    let past = operators.create_key("late", OperatorRole::Reader, Some(operators.clock.now_ms()), "test").await;
    assert!(matches!(past, Err(OperatorError::ExpiryPast)));
    assert_eq!(operators.operators().await.unwrap().len(), 1);
}

async fn a_person_is_let_in_by_password_and_each_code_once(on: On) {
    let fixture = fixture(on).await;
    let ada = fixture.enrolled("ada", OperatorRole::Owner).await;
    let caller = fixture.operators.by_session(ada.begun.token.reveal()).await.unwrap();
    assert_eq!((caller.operator, caller.role, caller.session), (ada.id, "owner", Some(ada.begun.session.id)));
    let code = fixture.code(&ada.factor);
    assert_eq!(fixture.sign_in("ada", PASSWORD, &code).await, "unknown", "the code of the enrolment was taken");
    fixture.hand.advance_ms(STEP_MS);
    let code = fixture.code(&ada.factor);
    assert_eq!(fixture.sign_in("ada", "another password", &code).await, "unknown");
    assert_eq!(fixture.sign_in("bob", PASSWORD, &code).await, "unknown");
    assert_eq!(fixture.sign_in("ada", PASSWORD, "000000").await, "unknown");
    let (one, two) = tokio::join!(fixture.sign_in("ada", PASSWORD, &code), fixture.sign_in("ada", PASSWORD, &code));
    assert!([one, two].contains(&"in") && [one, two].contains(&"unknown"), "one code, one session: {one} {two}");
    let sessions = fixture.operators.sessions(ada.id).await.unwrap();
    let told: Vec<_> = sessions.iter().map(|it| (it.address.as_deref(), it.browser.as_deref())).collect();
    assert_eq!(told, [(Some("192.0.2.1"), Some("a browser")); 2]);
}

async fn an_invitation_works_once_and_in_its_time(on: On) {
    let fixture = fixture(on).await;
    let operators = &fixture.operators;
    let invited = operators.create_person("ada", OperatorRole::Owner, "test").await.unwrap();
    let invitation = invited.invitation.reveal();
    let offered = operators.offer_second_factor(invitation, "Gateway", from(1)).await.unwrap();
    let factor = TotpSecret::read(offered.secret.reveal()).unwrap();
    let code = fixture.code(&factor);
    let accept = async |password: &str, factor: &str, code: &str| {
        outcome(operators.accept(invitation, factor, ask("", password, code)).await)
    };
    assert_eq!(accept("short", offered.secret.reveal(), &code).await, "password unfit");
    assert_eq!(accept(PASSWORD, offered.secret.reveal(), "12345").await, "code wrong");
    assert_eq!(accept(PASSWORD, "AAAA", &code).await, "code wrong");
    let (one, two) = tokio::join!(
        accept(PASSWORD, offered.secret.reveal(), &code),
        accept(PASSWORD, offered.secret.reveal(), &code)
    );
    assert!([one, two].contains(&"in") && [one, two].contains(&"unknown"), "{one} {two}");
    assert_eq!(accept(PASSWORD, offered.secret.reveal(), &code).await, "unknown");
    // Anew: what was there goes at once.
    let again = operators.invite(invited.operator.id, false, "test").await.unwrap();
    assert!(operators.sessions(invited.operator.id).await.unwrap().is_empty());
    fixture.hand.advance_ms(STEP_MS);
    assert_eq!(fixture.sign_in("ada", PASSWORD, &fixture.code(&factor)).await, "unknown");
    fixture.hand.advance_ms(72 * 3_600_000);
    let late = operators.offer_second_factor(again.invitation.reveal(), "Gateway", from(1)).await;
    assert_eq!(outcome(late), "over");
}

async fn a_session_ends_by_time_and_with_what_its_operator_may(on: On) {
    let fixture = fixture(on).await;
    let root = fixture.enrolled("root", OperatorRole::Owner).await;
    let ada = fixture.enrolled("ada", OperatorRole::Support).await;
    for _ in 0..23 {
        fixture.hand.advance_ms(30 * 60_000 - 1);
        assert_eq!(fixture.by_session(&root.begun.token).await, "in", "it is in use");
    }
    fixture.hand.advance_ms(30 * 60_000);
    assert_eq!(fixture.by_session(&root.begun.token).await, "over", "twelve hours");
    assert_eq!(fixture.by_session(&ada.begun.token).await, "over", "not used for half an hour");
    let code = fixture.code(&ada.factor);
    let begun = fixture.operators.sign_in(ask("ada", PASSWORD, &code)).await.unwrap();
    let raise = OperatorChange { role: Some(OperatorRole::Finance), state: None };
    fixture.operators.change(ada.id, raise, |_| true, "test").await.unwrap();
    assert_eq!(fixture.by_session(&begun.token).await, "unknown", "another role is signed in to anew");
    fixture.hand.advance_ms(STEP_MS);
    let begun = fixture.operators.sign_in(ask("ada", PASSWORD, &fixture.code(&ada.factor))).await.unwrap();
    let ended = fixture.operators.end_sessions(ada.id, Some(begun.session.id), "test").await.unwrap();
    assert_eq!((ended, fixture.by_session(&begun.token).await), (1, "unknown"));
    fixture.hand.advance_ms(STEP_MS);
    let disable = OperatorChange { state: Some(OperatorState::Disabled), role: None };
    fixture.operators.change(ada.id, disable, |_| true, "test").await.unwrap();
    assert_eq!(fixture.sign_in("ada", PASSWORD, &fixture.code(&ada.factor)).await, "unknown");
    let back = OperatorChange { state: Some(OperatorState::Active), role: None };
    fixture.operators.change(ada.id, back, |_| true, "test").await.unwrap();
    assert_eq!(fixture.sign_in("ada", PASSWORD, &fixture.code(&ada.factor)).await, "in");
    let nobody = fixture.operators.end_sessions(OperatorId(1), None, "test").await;
    assert!(matches!(nobody, Err(OperatorError::NoSuchOperator)));
}

async fn an_owner_is_left_and_changes_are_of_what_was_read(on: On) {
    let fixture = fixture(on).await;
    let operators = &fixture.operators;
    let one = operators.create_key("one", OperatorRole::Owner, None, "test").await.unwrap().operator;
    let lower = OperatorChange { role: Some(OperatorRole::Reader), state: None };
    let disable = OperatorChange { state: Some(OperatorState::Disabled), role: None };
    for change in [lower, disable] {
        assert!(matches!(operators.change(one.id, change, |_| true, "test").await, Err(OperatorError::LastOwner)));
    }
    // Whoever comes for a time alone, or has not come yet, is none who is left.
    let soon = operators.clock.now_ms() + 1_000;
    operators.create_key("guest", OperatorRole::Owner, Some(soon), "test").await.unwrap();
    operators.create_person("late", OperatorRole::Owner, "test").await.unwrap();
    assert!(matches!(operators.change(one.id, lower, |_| true, "test").await, Err(OperatorError::LastOwner)));
    // What takes no owner away is always done, and done again for whoever sends it again.
    let ci = operators.create_key("ci", OperatorRole::Finance, None, "test").await.unwrap().operator;
    for _ in 0..2 {
        let fresh = |now: &Operator| now.state == OperatorState::Active;
        assert!(operators.change(ci.id, disable, fresh, "test").await.is_ok());
    }
    let two = operators.create_key("two", OperatorRole::Owner, None, "test").await.unwrap().operator;
    let stale = operators.change(one.id, lower, |now| now.role == OperatorRole::Reader, "test").await;
    assert!(matches!(stale, Err(OperatorError::Changed)));
    let (a, b) = tokio::join!(
        operators.change(one.id, lower, |_| true, "test"),
        operators.change(two.id, disable, |_| true, "test")
    );
    assert!(a.is_ok() != b.is_ok(), "one of the two stays an owner");
    let missing = operators.change(OperatorId(1), lower, |_| true, "test").await;
    assert!(matches!(missing, Err(OperatorError::NoSuchOperator)));
}

async fn each_change_is_in_the_log_with_what_was_before(on: On) {
    let fixture = fixture(on).await;
    let operators = &fixture.operators;
    operators.create_key("root", OperatorRole::Owner, None, "test").await.unwrap();
    let ada = fixture.enrolled("ada", OperatorRole::Support).await;
    let name = tollgate_base::OperatorCaller::actor_name("root");
    let actor = tollgate_base::Actor { name: &name, address: from(9), reason: "a new task" };
    let raise = OperatorChange { role: Some(OperatorRole::Finance), state: None };
    operators.change(ada.id, raise, |_| true, actor).await.unwrap();
    let log = fixture.log(&ada.id.to_string()).await;
    let acts: Vec<&str> = log.iter().map(|line| line.action.as_str()).collect();
    assert_eq!(acts, ["operator.change", "operator.enrol", "operator.create"]);
    let line = &log[0];
    assert_eq!(
        (line.actor.as_str(), line.address.as_deref(), line.reason.as_str()),
        ("operator root", Some("192.0.2.9"), "a new task")
    );
    assert_eq!(line.before.as_deref(), Some(r#"{"role":"support","state":"active"}"#));
    assert_eq!(line.after.as_deref(), Some(r#"{"role":"finance","state":"active"}"#));
    let secrets = [ada.factor.shown(), Secret::new(PASSWORD.to_owned())];
    assert!(secrets.iter().all(|secret| !format!("{log:?}").contains(secret.reveal())));
}

async fn codes_are_guessed_on_no_more_than_a_few_tries_from_anywhere(on: On) {
    let fixture = fixture(on).await;
    let ada = fixture.enrolled("ada", OperatorRole::Owner).await;
    for last in 0..10 {
        fixture.hand.advance_ms(60_000);
        let ask = OperatorSignIn { from: from(100 + last), ..ask("ada", PASSWORD, "000000") };
        assert_eq!(outcome(fixture.operators.sign_in(ask).await), "unknown");
    }
    let right = async || fixture.sign_in("ada", PASSWORD, &fixture.code(&ada.factor)).await;
    assert_eq!(right().await, "unknown", "all wait, on every server");
    fixture.hand.advance_ms(15 * 60_000);
    assert_eq!(right().await, "in");
    let acts: Vec<String> = fixture.log(&ada.id.to_string()).await.into_iter().map(|line| line.action).collect();
    assert_eq!(acts.iter().filter(|act| *act == "operator.code_refused").count(), 10, "{acts:?}");
    fixture.hand.advance_ms(STEP_MS);
    assert_eq!(fixture.sign_in("ada", PASSWORD, "000000").await, "unknown");
    assert_eq!(right().await, "in", "a right code begins the count anew");
}

async fn the_last_owner_is_invited_anew_on_the_machine_alone(on: On) {
    let fixture = fixture(on).await;
    let ada = fixture.enrolled("ada", OperatorRole::Owner).await;
    assert!(matches!(fixture.operators.invite(ada.id, true, "test").await, Err(OperatorError::LastOwner)));
    assert_eq!(fixture.by_session(&ada.begun.token).await, "in", "nothing was taken away");
    fixture.operators.invite(ada.id, false, "test").await.unwrap();
    assert_eq!(fixture.by_session(&ada.begun.token).await, "unknown");
}

async fn tries_are_bounded(on: On) {
    let fixture = fixture(on).await;
    fixture.enrolled("ada", OperatorRole::Owner).await;
    let mut told = Vec::new();
    for _ in 0..12 {
        told.push(fixture.sign_in("ada", "a wrong password", "000000").await);
    }
    assert_eq!((told[0], told[11]), ("unknown", "too many"), "{told:?}");
    let guess = "A".repeat(43);
    let mut told = Vec::new();
    for _ in 0..40 {
        told.push(outcome(fixture.operators.offer_second_factor(&guess, "Gateway", from(7)).await));
    }
    assert_eq!((told[0], told[39]), ("unknown", "too many"), "{told:?}");
}

on_both!(
    a_key_lets_in_until_it_ends_or_is_disabled,
    names_are_unique_and_fit,
    a_person_is_let_in_by_password_and_each_code_once,
    an_invitation_works_once_and_in_its_time,
    a_session_ends_by_time_and_with_what_its_operator_may,
    an_owner_is_left_and_changes_are_of_what_was_read,
    each_change_is_in_the_log_with_what_was_before,
    codes_are_guessed_on_no_more_than_a_few_tries_from_anywhere,
    the_last_owner_is_invited_anew_on_the_machine_alone,
    tries_are_bounded,
);
