//! The cost of years of receipts: the same ledger with nothing behind it and with so many receipts over the twelve months before,
//! measured in turn. The receipts are written by a loader past the rules, and the books are audited with them.

use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Row};
use tollgate_base::YearMonth;

use super::drive;
use super::house::{House, On, Payer};
use super::ours::{COST, HELD, TOKENS};
use crate::Failed;

const ACCOUNTS: usize = 1000;
const CLIENTS: usize = 64;
const MONTHS: usize = 12;
/// How many receipts one transaction of the loader writes.
const CHUNK: u64 = 500_000;
/// The cost of a ledger with years behind it to that of one without, in hundredths, at the most.
const GOAL: u64 = 110;

/// How much, how long and how often.
#[derive(Debug)]
pub(crate) struct Plan {
    receipts: u64,
    lasts: Duration,
    rounds: usize,
    only: String,
}

impl Plan {
    /// Reads `--receipts N --seconds N --rounds N --only PREFIX`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, Failed> {
        let (receipts, lasts) = (5_000_000, Duration::from_secs(3));
        let mut plan = Self { receipts, lasts, rounds: 5, only: String::new() };
        for pair in words.chunks(2) {
            match pair {
                ["--receipts", number] => plan.receipts = number.parse()?,
                ["--seconds", number] => plan.lasts = Duration::try_from_secs_f64(number.parse()?)?,
                ["--rounds", number] => plan.rounds = number.parse()?,
                ["--only", store] => plan.only = (*store).to_owned(),
                other => return Err(format!("{other:?}: known are --receipts, --seconds, --rounds and --only").into()),
            }
        }
        Ok(plan)
    }
}

/// Takes everything and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    let mut lines = Vec::new();
    for on in On::ALL.into_iter().filter(|on| on.name().starts_with(&plan.only)) {
        let houses = [House::open(on, ACCOUNTS).await?, House::open(on, ACCOUNTS).await?];
        let began = Instant::now();
        load(&houses[1], plan.receipts).await?;
        eprintln!("{}: {} receipts in {} s", on.name(), plan.receipts, began.elapsed().as_secs());
        let mut taken = [const { Vec::new() }; 2];
        for round in 0..plan.rounds {
            eprintln!("round {} of {}: {}", round + 1, plan.rounds, on.name());
            for (house, taken) in houses.iter().zip(&mut taken) {
                let cpu = || house.cpu_micros();
                let carried = drive::closed(&house.ours(), &house.payers, CLIENTS, plan.lasts, cpu).await?;
                taken.push((carried.pairs, carried.cpu_micros / carried.pairs.max(1)));
            }
        }
        let [empty, full] = [median(&taken[0]), median(&taken[1])];
        let began = Instant::now();
        let bytes = bytes(&houses[1]).await?;
        for house in houses {
            house.close().await?;
        }
        let per_second = |pairs: u64| pairs * 1000 / u64::try_from(plan.lasts.as_millis()).unwrap_or(1).max(1);
        let ratio = full.1 * 100 / empty.1.max(1);
        lines.push(format!(
            "| {} | {} | {} | {} | {} | {}.{:02} | <= 1.10 | {} | {} MiB | {} s |",
            on.name(),
            per_second(empty.0),
            per_second(full.0),
            empty.1,
            full.1,
            ratio / 100,
            ratio % 100,
            if ratio <= GOAL { "met" } else { "MISSED" },
            bytes >> 20,
            began.elapsed().as_secs(),
        ));
    }
    println!(
        "{} receipts over {MONTHS} months beside none, {CLIENTS} clients on {ACCOUNTS} accounts:\n",
        plan.receipts
    );
    println!(
        "| store | pairs/s, none | with them | CPU us/pair, none | with them | ratio | goal | | size | both audits |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: |");
    lines.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// Of each figure on its own.
fn median(taken: &[(u64, u64)]) -> (u64, u64) {
    let of = |figure: fn(&(u64, u64)) -> u64| {
        let mut values: Vec<u64> = taken.iter().map(figure).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    (of(|taken| taken.0), of(|taken| taken.1))
}

/// Receipts `{from}` to `{to}` of the loader, whose numbers `n` `{numbers}` gives: one account after the other, evenly over the time.
const RECEIPTS: &str = "INSERT INTO receipts (hold_id, account_id, key_id, request_id, held, model, stream, price_id, ratio_ppm, \
        created_at, expires_at, state, cost, shortfall, rule, prompt, cached, completion, reasoning, estimated, upstream, \
        upstream_model, first_byte_ms, duration_ms, resolved_at) \
    SELECT -n, p.account_id, p.id, 'req_0000000000000000' || (1000000000 + n), {held}, 'small', 0, (SELECT min(id) FROM prices), 1000000, \
        {starts} + n * {step}, {starts} + n * {step} + 60000, 'settled', {cost}, 0, 'reported', {tokens}, 0, {tokens}, 0, 0, \
        'bench', 'm', 300, 1500, {starts} + n * {step} + 1500 \
    FROM {numbers} JOIN payers p ON p.number = n % {payers} ORDER BY n";
/// The postings that the rules would have made of them.
const SUMS: &str = "INSERT INTO usage_days SELECT account_id, created_at / 86400000, key_id, model, count(*), 0, sum(cost), 0, sum(prompt), \
        0, 0, 0, sum(completion), 0, 0, 0, 0, 0 FROM receipts WHERE hold_id < 0 GROUP BY 1, 2, 3, 4; \
    UPDATE balances SET posted = posted - (SELECT coalesce(sum(cost), 0) FROM receipts r \
        WHERE r.account_id = balances.account_id AND r.hold_id < 0) WHERE account_id IN (SELECT account_id FROM payers)";

/// Writes receipts of the months before this one.
pub(crate) async fn load(house: &House, receipts: u64) -> Result<(), Failed> {
    // So that there are prices.
    drive::closed(&house.ours(), &house.payers, 1, Duration::from_millis(1), || Ok(0)).await?;
    let this = YearMonth::of_ms(house.now_ms());
    let mut months = vec![this];
    while months.len() <= MONTHS {
        months.push(YearMonth::of_ms(months[months.len() - 1].starts_at_ms() - 1));
    }
    let starts = months[MONTHS].starts_at_ms();
    let step = (this.starts_at_ms() - starts - 120_000) / i64::try_from(receipts)?.max(1);
    let filled = |text: &str, from: u64, to: u64, numbers: &str| {
        let values = [
            ("{numbers}", numbers.to_owned()),
            ("{from}", from.to_string()),
            ("{to}", to.to_string()),
            ("{held}", HELD.nanos().to_string()),
            ("{cost}", COST.nanos().to_string()),
            ("{tokens}", TOKENS.to_string()),
            ("{starts}", starts.to_string()),
            ("{step}", step.to_string()),
            ("{payers}", house.payers.len().to_string()),
        ];
        values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    };
    let chunks = (0..receipts).step_by(usize::try_from(CHUNK)?).map(|from| (from + 1, (from + CHUNK).min(receipts)));
    match house.on {
        On::Sqlite => {
            on_file(house, chunks.map(|(from, to)| filled(RECEIPTS, from, to, &filled(SERIES, from, to, ""))).collect())
                .await
        }
        On::Postgres => {
            let numbers = "generate_series({from}::bigint, {to}::bigint) n";
            let chunks = chunks.map(|(from, to)| filled(RECEIPTS, from, to, &filled(numbers, from, to, "")));
            on_server(house, &months, chunks.collect()).await
        }
    }
}

const SERIES: &str =
    "(WITH RECURSIVE c (n) AS (SELECT {from} UNION ALL SELECT n + 1 FROM c WHERE n < {to}) SELECT n FROM c) s";

fn payers(payers: &[Payer]) -> String {
    let rows = payers.iter().enumerate();
    let rows: Vec<String> =
        rows.map(|(number, payer)| format!("({number},{},{})", payer.account.0, payer.key.0)).collect();
    format!(
        "CREATE TEMP TABLE payers (number BIGINT PRIMARY KEY, account_id BIGINT, id BIGINT); INSERT INTO payers VALUES {}",
        rows.join(",")
    )
}

async fn on_file(house: &House, chunks: Vec<String>) -> Result<(), Failed> {
    let mut loader = SqliteConnectOptions::new().filename(house.place()).connect().await?;
    let rules = sqlx::query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'receipts'");
    let rules: Vec<(String, String)> =
        rules.fetch_all(&mut loader).await?.iter().map(|row| (row.get(0), row.get(1))).collect();
    let (off, on): (Vec<String>, Vec<String>) =
        rules.iter().map(|(name, text)| (format!("DROP TRIGGER {name};"), format!("{text};"))).unzip();
    let mut scripts =
        vec!["PRAGMA synchronous = off; PRAGMA cache_size = -400000".to_owned(), payers(&house.payers), off.concat()];
    scripts.extend(chunks.into_iter().map(|chunk| format!("BEGIN IMMEDIATE; {chunk}; COMMIT")));
    scripts.extend([SUMS.to_owned(), on.concat(), "PRAGMA wal_checkpoint(TRUNCATE)".to_owned()]);
    for script in scripts {
        sqlx::raw_sql(AssertSqlSafe(script)).execute(&mut loader).await?;
    }
    Ok(())
}

async fn on_server(house: &House, months: &[YearMonth], chunks: Vec<String>) -> Result<(), Failed> {
    let options: PgConnectOptions = house.place().parse()?;
    let mut loader = options.options([("search_path", "tollgate")]).connect().await?;
    let places = months.iter().map(|month| format!("SELECT receipts_month({})", month.starts_at_ms()));
    let mut scripts: Vec<String> = places.collect();
    scripts.extend([payers(&house.payers), "SET session_replication_role = replica".to_owned()]);
    scripts.extend(chunks);
    scripts.extend([SUMS.to_owned(), "VACUUM ANALYZE".to_owned(), "CHECKPOINT".to_owned()]);
    for script in scripts {
        sqlx::raw_sql(AssertSqlSafe(script)).execute(&mut loader).await?;
    }
    Ok(())
}

/// How large the ledger is.
async fn bytes(house: &House) -> Result<i64, Failed> {
    match house.on {
        On::Sqlite => Ok(i64::try_from(std::fs::metadata(house.place())?.len())?),
        On::Postgres => {
            let options: PgConnectOptions = house.place().parse()?;
            let mut asking = options.connect().await?;
            Ok(sqlx::query("SELECT pg_database_size(current_database())").fetch_one(&mut asking).await?.try_get(0)?)
        }
    }
}
