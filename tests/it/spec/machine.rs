//! What `machine!` makes: one table in several forms that must agree, and a statement that lets one of many through.

use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, SqlitePool};

use crate::api::machine::{Cas, Lost, UnknownName};

mod order {
    tollgate_macros::machine! {
        /// One order for credit.
        machine topup_order,
        spec: "spec/machines/topup.yaml: topup_order",
        row: { table: "topup_order", key: "id", state: "status", revision: "rev" },
        states: { Pending = "pending", Settling = "settling", Success = "success", Failed = "failed", Expired = "expired" },
        start: Pending,
        final: [Success],
        actors: { Settlement = "settlement", Clock = "clock" },
        guards: {
            WithinValidity = "within_validity": sql "expires_at > :now",
            SurelyUnpaid = "surely_unpaid": sql "payment IS NULL",
            SettledOnChain = "settled_on_chain": proof SettlementReceipt,
        },
        effects: { CreditBalance = "credit_balance": "in the transaction, once per order", Notify = "notify": "afterwards" },
        moves: {
            BeginSettlement = "begin_settlement" { from: [Pending], to: Settling, by: [Settlement], when: [WithinValidity], spec: "spec/machines/topup.yaml: topup_order.begin_settlement" },
            GoBack = "go_back" { from: [Settling], to: Pending, by: [Settlement], when: [SurelyUnpaid, WithinValidity] },
            Succeed = "succeed" { from: [Settling], to: Success, by: [Settlement], when: [SettledOnChain], does: [CreditBalance] },
            Fail = "fail" { from: [Settling], to: Failed, by: [Settlement, Clock], does: [CreditBalance, Notify] },
            PayLate = "pay_late" { from: [Failed, Expired], to: Settling, by: [Settlement] },
            Expire = "expire" { from: [Pending], to: Expired, by: [Clock] },
        },
    }
}

mod x402 {
    tollgate_macros::machine! {
        view x402_order of super::order,
        spec: "spec/machines/topup.yaml: x402_order",
        states: { Pending = "pending", CreditPending = "credit_pending", Settled = "settled" },
        base: { Pending => Pending, Settling => CreditPending, Success => Settled, Failed => none, Expired => none },
        moves: {
            Create = "create" { from: [none], to: Pending, by: ["x402.create"] },
            Settle = "settle" { from: [Pending], to: Settled, by: ["x402.pay"], spec: "spec/machines/topup.yaml: x402_order.settle" },
        },
    }
}

use order::{AnyRow, Move, State, actor, effect, guard, mv, proof};

/// Stands for the one type that the chain's checker makes.
struct Receipt;
impl proof::SettlementReceipt for Receipt {}

#[test]
fn states_and_moves_have_their_texts_and_refuse_others() {
    assert_eq!((order::MACHINE, order::SPEC), ("topup_order", "spec/machines/topup.yaml: topup_order"));
    assert_eq!(State::START, State::Pending);
    for state in State::ALL {
        assert_eq!(state.as_str().parse(), Ok(*state));
        assert_eq!(state.is_final(), *state == State::Success);
    }
    for step in Move::ALL {
        assert_eq!(step.to_string().parse(), Ok(*step));
    }
    let unknown: UnknownName = "settled".parse::<State>().expect_err("is no state");
    assert_eq!(
        unknown.to_string(),
        "topup_order: `settled` is no state; there are pending, settling, success, failed, expired (declared at spec/machines/topup.yaml: topup_order)"
    );
    assert_eq!(Move::BeginSettlement.spec(), "spec/machines/topup.yaml: topup_order.begin_settlement");
    assert_eq!((Move::Expire.spec(), Move::Fail.by()), (order::SPEC, ["settlement", "clock"].as_slice()));
}

#[test]
fn the_table_the_function_and_the_statements_agree() {
    assert_eq!(order::pairs().count(), State::ALL.len() * Move::ALL.len());
    for (state, step, to) in order::pairs() {
        let row = order::TABLE.iter().find(|(from, by, _)| (*from, *by) == (state, step));
        assert_eq!(row.map(|(_, _, to)| *to), to);
        assert_eq!(order::allowed(state, step), to);
        let cas = order::cas(state, step);
        assert_eq!(
            cas.map(|cas| (cas.from, cas.step, cas.to)),
            to.map(|to| (state.as_str(), step.as_str(), to.as_str()))
        );
    }
    assert_eq!(order::TABLE.len(), 7, "a move out of two states is two rows");
}

#[test]
fn a_statement_says_the_whole_condition() {
    let sql = |state, step| order::cas(state, step).map(|cas: &Cas| (cas.sql, cas.needs_now)).expect("is in the table");
    let plain = "UPDATE topup_order SET status = $2, rev = rev + 1 WHERE id = $1 AND status = $3";
    assert_eq!(sql(State::Settling, Move::Succeed), (plain, false));
    assert_eq!(sql(State::Pending, Move::BeginSettlement), (&*format!("{plain} AND (expires_at > $4)"), true));
    let two = format!("{plain} AND (payment IS NULL) AND (expires_at > $4)");
    assert_eq!(sql(State::Settling, Move::GoBack), (&*two, true));
}

/// Takes the effect as its permission, as the ledger does.
fn credit(balance: &mut i64, _: effect::CreditBalance) {
    *balance += 1;
}

#[test]
fn a_row_goes_from_state_to_state_and_owes_what_its_moves_owe() {
    let (settlement, clock) = (actor::Settlement::grant(), actor::Clock::grant());
    let AnyRow::Pending(row) = AnyRow::read(State::START, "order 1") else { panic!("a row begins pending") };
    let step = row.step(mv::BeginSettlement::by(&settlement));
    assert_eq!((step.actor(), step.cas().step, *step.data()), ("settlement", "begin_settlement", "order 1"));
    let won = step.done(1).expect("one row changed");
    assert_eq!((won.row.state(), won.due), (State::Settling, ()));

    let mut balance = 0;
    let evidence = guard::SettledOnChain::proven_by(&Receipt);
    let won = won.row.step(mv::Succeed::by(&settlement, evidence)).done(1).expect("one row changed");
    credit(&mut balance, won.due);
    assert_eq!((won.row.state(), won.row.into_data(), balance), (State::Success, "order 1", 1));

    let AnyRow::Settling(row) = AnyRow::read(State::Settling, 7) else { panic!("was read as settling") };
    let (due, notify) = row.step(mv::Fail::by(&clock)).done(1).expect("one row changed").due;
    let _: effect::Notify = notify;
    credit(&mut balance, due);
    assert_eq!(balance, 2);
}

#[test]
fn a_move_that_changed_no_row_was_not_made() {
    let AnyRow::Pending(row) = AnyRow::read(State::Pending, 7) else { panic!("was read as pending") };
    let lost: Lost<i32> = row.step(mv::Expire::by(&actor::Clock::grant())).done(0).expect_err("no row changed");
    assert_eq!(lost.data, 7);
    assert_eq!(
        lost.to_string(),
        "topup_order: `expire` was not made: the row is not in `pending` any more, or a guard did not hold"
    );
    for state in State::ALL {
        let row = AnyRow::read(*state, state.as_str());
        assert_eq!((row.state(), *row.data()), (*state, state.as_str()));
        assert_eq!(row.into_data(), state.as_str());
    }
}

#[test]
fn a_view_renames_states_and_has_its_own_moves() {
    assert_eq!(x402::view(State::Settling), Some(x402::State::CreditPending));
    assert_eq!(x402::view(State::Failed), None);
    for state in x402::State::ALL {
        assert!(state.base().iter().all(|base| x402::view(*base) == Some(*state)));
    }
    assert_eq!(x402::TABLE[0], (None, x402::Move::Create, x402::State::Pending));
    assert_eq!(
        (x402::Move::Settle.spec(), x402::Move::Settle.by()),
        ("spec/machines/topup.yaml: x402_order.settle", ["x402.pay"].as_slice())
    );
    assert_eq!(x402::MACHINE, "x402_order");
}

async fn database() -> SqlitePool {
    let options = SqliteConnectOptions::new().in_memory(true);
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.expect("opens");
    let table = "CREATE TABLE topup_order (id INTEGER PRIMARY KEY, status TEXT, rev INTEGER DEFAULT 0, expires_at INTEGER, payment TEXT)";
    sqlx::query(table).execute(&pool).await.expect("creates");
    pool
}

async fn make(pool: &SqlitePool, id: i64, cas: &'static Cas, now: i64) -> u64 {
    let query = sqlx::query(cas.sql).bind(id).bind(cas.to).bind(cas.from);
    let query = if cas.needs_now { query.bind(now) } else { query };
    query.execute(pool).await.expect("the statement runs").rows_affected()
}

#[tokio::test]
async fn every_statement_moves_a_row_in_its_state_and_no_other() {
    let pool = database().await;
    let mut id = 0;
    for (state, step, _) in order::pairs() {
        let Some(cas) = order::cas(state, step) else { continue };
        for row in State::ALL {
            id += 1;
            let insert = format!("INSERT INTO topup_order (id, status, expires_at) VALUES ({id}, '{row}', 100)");
            sqlx::query(AssertSqlSafe(insert)).execute(&pool).await.expect("inserts");
            assert_eq!(make(&pool, id, cas, 99).await, u64::from(*row == state), "{step} on {row}");
            let after: (String, i64) = sqlx::query_as("SELECT status, rev FROM topup_order WHERE id = $1")
                .bind(id)
                .fetch_one(&pool)
                .await
                .expect("is there");
            let expected = if *row == state { (cas.to.to_owned(), 1) } else { (row.as_str().to_owned(), 0) };
            assert_eq!(after, expected, "{step} on {row}");
        }
    }
}

#[tokio::test]
async fn a_guard_is_checked_by_the_statement_itself() {
    let pool = database().await;
    sqlx::query("INSERT INTO topup_order (id, status, expires_at) VALUES (1, 'pending', 100)")
        .execute(&pool)
        .await
        .expect("inserts");
    let cas = order::cas(State::Pending, Move::BeginSettlement).expect("is in the table");
    assert_eq!(make(&pool, 1, cas, 100).await, 0, "the order has expired");
    assert_eq!(make(&pool, 1, cas, 99).await, 1);
    assert_eq!(make(&pool, 1, cas, 99).await, 0, "made once");
}
