//! The spec's machines: what the table says, the types allow, the statements do and the databases let happen is one
//! and the same, for every state with every move, on SQLite and PostgreSQL.

mod databases;
mod expected;

use tokio::task::JoinSet;
use tollgate_api::machine::Cas;

use databases::{Database, both};
use expected::{EXPECTED, Expected};

const RACERS: usize = 64;

/// One machine of the spec, with its types forgotten.
struct Machine {
    states: Vec<&'static str>,
    start: &'static str,
    table: Vec<Row>,
    pairs: Vec<Pair>,
}

/// From, move, to.
type Row = (&'static str, &'static str, &'static str);

/// One state with one move, as the constant function, the statements and the types see it.
#[derive(Debug)]
struct Pair {
    from: &'static str,
    step: &'static str,
    to: Option<&'static str>,
    cas: Option<&'static Cas>,
    typed: bool,
}

macro_rules! machine {
    ($module:ident, [$($state:ident)*], $moves:tt) => {{
        use tollgate_api::generated::machines::$module as machine;
        // Tells whether the types allow a move: the constant of the type wins over that of the trait, but only where
        // its bound holds.
        struct Probe<S, M>(std::marker::PhantomData<(S, M)>);
        trait Otherwise {
            const ALLOWED: bool = false;
        }
        impl<S, M> Otherwise for Probe<S, M> {}
        impl<S: machine::Allows<M>, M> Probe<S, M> {
            const ALLOWED: bool = true;
        }
        let typed = [$( machine!(@row machine, $state, $moves) ),*].concat();
        let typed = |from: machine::State, step: machine::Move| {
            *typed.iter().find(|(state, of, _)| (*state, *of) == (from, step)).map(|(_, _, is)| is)
                .unwrap_or_else(|| panic!("{from:?} with {step:?} is missing from this test"))
        };
        Machine {
            states: machine::State::ALL.iter().map(|state| state.as_str()).collect(),
            start: machine::State::START.as_str(),
            table: machine::TABLE.iter().map(|(from, step, to)| (from.as_str(), step.as_str(), to.as_str())).collect(),
            pairs: machine::pairs().map(|(from, step, to)| Pair {
                from: from.as_str(), step: step.as_str(), to: to.map(machine::State::as_str),
                cas: machine::cas(from, step), typed: typed(from, step),
            }).collect(),
        }
    }};
    (@row $machine:ident, $state:ident, [$($step:ident)*]) => {
        vec![$( ($machine::State::$state, $machine::Move::$step,
            <Probe<$machine::at::$state, $machine::mv::$step>>::ALLOWED) ),*]
    };
}

fn machine(expected: &Expected) -> Machine {
    match expected.table {
        "topup_order" => machine!(topup_order, [Pending Settling Success Failed Expired],
            [BeginSettlement Succeed Fail GiveBack Expire Revive]),
        "video_task" => machine!(video_task, [Queued InProgress Completed Failed], [StartWork Complete Fail GiveUp]),
        "payments" => machine!(payment, [Claimed Paid Void Surplus], [Pay GiveUp SetAside]),
        "agents" => machine!(agent, [Active Revoked], [Revoke]),
        "api_keys" => machine!(api_key, [Active Revoked], [Revoke]),
        other => panic!("no machine keeps its state in {other}"),
    }
}

#[test]
fn the_tables_are_the_ones_written_down_here() {
    for expected in EXPECTED {
        let machine = machine(expected);
        assert_eq!(machine.table, expected.rows, "{}", expected.table);
        assert_eq!(machine.start, expected.start, "{}", expected.table);
    }
}

#[test]
fn table_function_statements_and_types_agree_on_every_pair() {
    for expected in EXPECTED {
        let machine = machine(expected);
        for pair in &machine.pairs {
            let row = expected.rows.iter().find(|(from, step, _)| (*from, *step) == (pair.from, pair.step));
            assert_eq!(pair.to, row.map(|(_, _, to)| *to), "{pair:?}");
            assert_eq!(pair.typed, row.is_some(), "{pair:?}");
            assert_eq!(pair.cas.map(|cas| (cas.from, cas.step, cas.to)), row.copied(), "{pair:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_statements_do_what_the_table_says() {
    for database in both().await {
        for expected in EXPECTED {
            let machine = machine(expected);
            for pair in &machine.pairs {
                for cas in pair.cas.into_iter().chain(other_statements(&machine, pair)) {
                    let key = database.row_in(expected, &machine, pair.from).await;
                    let moved = database.make(cas, &key, expected.past_and_future).await;
                    let allowed = pair.cas == Some(cas);
                    assert_eq!(moved, u64::from(allowed), "{}: {} on a row in {}", expected.table, cas.step, pair.from);
                    let state = database.state(expected, &key).await;
                    assert_eq!(state, if allowed { cas.to } else { pair.from }, "{}: {}", expected.table, cas.step);
                }
            }
        }
    }
}

/// The statements of the pair's move out of other states: on a row in this state they must do nothing.
fn other_statements(machine: &Machine, pair: &Pair) -> Vec<&'static Cas> {
    let same_move = machine.pairs.iter().filter(|other| other.step == pair.step && other.from != pair.from);
    same_move.filter_map(|other| other.cas).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_databases_refuse_by_themselves_what_is_not_in_the_table() {
    for database in both().await {
        for expected in EXPECTED {
            let machine = machine(expected);
            for state in &machine.states {
                let born = database.insert(expected, state).await;
                assert_eq!(born.is_ok(), *state == expected.start, "{}: born {state}", expected.table);
            }
            assert!(database.insert(expected, "nonsense").await.is_err());
            for from in &machine.states {
                for to in machine.states.iter().copied().filter(|to| to != from).chain(["nonsense"]) {
                    let key = database.row_in(expected, &machine, from).await;
                    let written = database.write_state(expected, &key, to, 1).await;
                    let legal = expected.rows.iter().any(|(a, _, b)| (a, b) == (from, &to));
                    assert_eq!(written.is_ok(), legal, "{}: by hand from {from} to {to}", expected.table);
                    assert_eq!(database.state(expected, &key).await, if legal { to } else { from });
                }
            }
            if expected.revision {
                let (from, _, to) = expected.rows[0];
                for step in [0, 2, -1] {
                    let key = database.row_in(expected, &machine, from).await;
                    assert!(
                        database.write_state(expected, &key, to, step).await.is_err(),
                        "{}: revision {step}",
                        expected.table
                    );
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_sixty_four_racers_one_wins() {
    for database in both().await {
        for expected in EXPECTED {
            let machine = machine(expected);
            for pair in machine.pairs.iter().filter(|pair| pair.cas.is_some()) {
                let cas = pair.cas.expect("filtered above");
                let key = database.row_in(expected, &machine, pair.from).await;
                let mut racers = JoinSet::new();
                for _ in 0..RACERS {
                    let (database, key) = (database.clone(), key.clone());
                    racers.spawn(async move { database.make(cas, &key, expected.past_and_future).await });
                }
                let won: u64 = racers.join_all().await.into_iter().sum();
                assert_eq!(won, 1, "{}: {}", expected.table, cas.step);
            }
        }
    }
}

/// The tables that the server really makes have the columns that the statements name.
#[tokio::test]
async fn every_statement_can_be_prepared_on_a_fresh_ledger() {
    let gateway = tollgate_tests::TestGateway::start().await;
    let database = Database::ledger(&gateway.ledger()).await;
    for expected in EXPECTED {
        for pair in machine(expected).pairs {
            if let Some(cas) = pair.cas {
                assert_eq!(database.make(cas, "0", expected.past_and_future).await, 0, "{}", cas.sql);
            }
        }
    }
}

/// The x402 states are a view of the order's, never a second truth.
#[test]
fn the_view_names_states_of_its_base() {
    use tollgate_api::generated::machines::{topup_order as base, x402_order as view};
    assert_eq!(view::view(base::State::Pending), Some(view::State::Pending));
    assert_eq!(view::view(base::State::Settling), Some(view::State::CreditPending));
    assert_eq!(view::view(base::State::Success), Some(view::State::Settled));
    assert_eq!([base::State::Failed, base::State::Expired].map(view::view), [None, None]);
    let rows: Vec<_> = view::TABLE
        .iter()
        .map(|(from, step, to)| (from.map(view::State::as_str), step.as_str(), to.as_str()))
        .collect();
    assert_eq!(
        rows,
        [
            (None, "create", "pending"),
            (Some("pending"), "settle", "settled"),
            (Some("pending"), "await_chain", "credit_pending")
        ]
    );
}
