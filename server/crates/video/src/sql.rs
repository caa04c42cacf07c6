//! The statements of this room. The last move of a task is committed together with the ledger's statements that charge or release
//! its hold.

use tollgate_api::generated::machines::video_task::{self, Move, State};
use tollgate_api::machine::Cas;
use tollgate_base::{AccountId, HoldId, PicoUsd, PriceRatio};
use tollgate_credit::{AttachedStatements, KeySelection, Statement, StatementValue};
use tollgate_gateway::{VideoMeasures, VideoSource, VideoTaskFailure};
use tollgate_store::{BoundStatement, BoundValue, DatabaseRow, ReadPool, Store, StoreError, query};

use super::task::{FinishedVideo, VideoOrderTerms, VideoTaskRow};

/// Whole rows, as [`read`] takes them.
macro_rules! tasks {
    ($condition:literal) => {
        concat!(
            "SELECT task_id, account_id, hold_id, status, model, seconds, price, size, prompt, upstream, upstream_model, ",
            "upstream_path, upstream_id, progress, url, measures, error_code, error_message, created_at, deadline_at, ",
            "ended_at, price_request, ratio_ppm FROM video_task ",
            $condition
        )
    };
}

/// Tasks under `$condition` that some keys of an account ordered, by the team and the member that a key has now. They are the
/// account's: a key and its holds are of one.
macro_rules! tasks_of_keys {
    ($condition:literal, $account:literal, $key:literal, $team:literal, $member:literal) => {
        concat!(
            tasks!($condition),
            " AND key_id IN (SELECT k.id FROM api_keys k WHERE k.account_id = ",
            $account,
            " AND (",
            $key,
            " IS NULL OR k.id = ",
            $key,
            ") AND (",
            $team,
            " IS NULL OR k.team_id = ",
            $team,
            ") AND (",
            $member,
            " IS NULL OR k.member_id = ",
            $member,
            "))"
        )
    };
}

const OPEN: &str = "INSERT INTO video_task (task_id, account_id, hold_id, status, model, seconds, price, price_request, ratio_ppm, size, \
        prompt, created_at, deadline_at) VALUES ($1, $2, $3, 'queued', $4, $5, $6, $7, $8, $9, $10, $11, $12)";
const ENDS: &str = "UPDATE video_task SET receipt_id = hold_id, progress = $3, url = $4, measures = $5, error_code = $6, \
    error_message = $7, ended_at = $8 WHERE task_id = $1 AND status = $2";
const HIDE: &str = "UPDATE video_task SET deleted_at = $2 WHERE task_id = $1";
const NOTE: &str = "UPDATE video_task SET upstream = $2, upstream_model = $3, upstream_path = $4 WHERE task_id = $1 AND upstream_id IS NULL";
const NAME: &str = "UPDATE video_task SET upstream_id = $2 WHERE task_id = $1 AND upstream_id IS NULL";
const PROGRESS: &str = "UPDATE video_task SET progress = $2 WHERE task_id = $1 AND status IN ('queued', 'in_progress')";
const DELETE: &str = "UPDATE video_task SET deleted_at = $3 WHERE task_id = $1 AND account_id = $2 AND deleted_at IS NULL \
    AND status IN ('completed', 'failed')";
const OPEN_COUNT: &str =
    "SELECT count(*) FROM video_task WHERE account_id = $1 AND status IN ('queued', 'in_progress')";
const MAKER: &str = "SELECT upstream, upstream_model, upstream_path FROM video_task WHERE task_id = $1";
const STATE: &str = "SELECT status FROM video_task WHERE task_id = $1";
const FIND: &str = tasks!("WHERE task_id = $1 AND account_id = $2 AND deleted_at IS NULL");
/// Tasks are left out whose holds belong to another server that is up: it may just be asking for them.
const OPEN_TASKS: &str = tasks!(
    "WHERE status IN ('queued', 'in_progress') AND (created_at, task_id) > ($1, $2) AND NOT EXISTS (SELECT 1 FROM holds h \
        JOIN nodes n ON n.epoch = h.epoch WHERE h.id = hold_id AND n.state = 'up' AND n.epoch <> $3) \
        ORDER BY created_at, task_id LIMIT $4"
);
const FIND_OF_KEYS: &str = tasks_of_keys!("WHERE task_id = $1 AND deleted_at IS NULL", "$2", "$3", "$4", "$5");
const FIND_EVEN_DELETED: &str = tasks!("WHERE task_id = $1 AND account_id = $2");
const FIND_EVEN_DELETED_OF_KEYS: &str = tasks_of_keys!("WHERE task_id = $1", "$2", "$3", "$4", "$5");
/// The limit is one more than the page, which shows whether there is a further one.
const NEWEST: &str = tasks!(
    "WHERE account_id = $1 AND deleted_at IS NULL AND (created_at, task_id) < ($2, $3) ORDER BY created_at DESC, task_id DESC LIMIT $4"
);
const NEWEST_OF_KEYS: &str = concat!(
    tasks_of_keys!("WHERE deleted_at IS NULL AND (created_at, task_id) < ($2, $3)", "$1", "$5", "$6", "$7"),
    " ORDER BY created_at DESC, task_id DESC LIMIT $4"
);
const OLDEST: &str = tasks!(
    "WHERE account_id = $1 AND deleted_at IS NULL AND (created_at, task_id) > ($2, $3) ORDER BY created_at, task_id LIMIT $4"
);
const OLDEST_OF_KEYS: &str = concat!(
    tasks_of_keys!("WHERE deleted_at IS NULL AND (created_at, task_id) > ($2, $3)", "$1", "$5", "$6", "$7"),
    " ORDER BY created_at, task_id LIMIT $4"
);

/// The videos that a caller sees: those of an account that these of its keys ordered.
#[derive(Debug, Clone, Copy)]
pub(super) struct VisibleVideos {
    pub(super) account: AccountId,
    pub(super) keys: KeySelection,
}

impl VisibleVideos {
    /// The statement for all videos of the account, or the one for those of some keys, with what both are asked with.
    fn query<'q, const N: usize>(
        self,
        (of_all, of_keys): (&'static str, &'static str),
        values: [BoundValue<'q>; N],
    ) -> BoundStatement<'q> {
        let is_narrowed = self.keys.is_narrowed();
        let text = if is_narrowed { of_keys } else { of_all };
        let asked = values.into_iter().fold(query(text), BoundStatement::bind);
        if !is_narrowed {
            return asked;
        }
        let KeySelection { key, team, member } = self.keys;
        asked.bind(key.map(|key| key.0)).bind(team.map(|team| team.0)).bind(member.map(|member| member.0))
    }
}

/// Makes the row of a task, with its hold.
pub(super) fn open(
    id: &str,
    account: AccountId,
    terms: &VideoOrderTerms,
    created_at_ms: i64,
    deadline_at_ms: i64,
) -> AttachedStatements {
    let values = vec![
        id.into(),
        account.0.into(),
        StatementValue::Hold,
        terms.model.as_str().into(),
        i64::from(terms.seconds).into(),
        terms.price.picos().into(),
        terms.request.picos().into(),
        terms.ratio.millionths().into(),
        StatementValue::maybe(terms.size.as_deref()),
        terms.prompt.as_str().into(),
        created_at_ms.into(),
        deadline_at_ms.into(),
    ];
    vec![Statement { sql: OPEN, values }]
}

/// Moves a task to its end, with the receipt of its hold. `None` where no such move leads out of the state that it is in.
pub(super) fn end(
    task: &VideoTaskRow,
    step: Move,
    made: &FinishedVideo,
    fault: Option<&VideoTaskFailure>,
    now_ms: i64,
) -> Option<AttachedStatements> {
    let cas = video_task::cas(task.state, step)?;
    let progress = if step == Move::Complete { 100 } else { task.progress };
    let ends = vec![
        task.id.as_str().into(),
        cas.from.into(),
        i64::from(progress).into(),
        StatementValue::maybe(made.url.as_deref()),
        StatementValue::Text(measures_text(&made.measures)),
        StatementValue::maybe(fault.map(|fault| fault.code.as_str())),
        StatementValue::maybe(fault.map(|fault| fault.message.as_str())),
        now_ms.into(),
    ];
    Some(vec![Statement { sql: ENDS, values: ends }, moved(cas, &task.id, now_ms)])
}

/// Adds to the end of a task that it is hidden, because its order was answered with an error.
pub(super) fn hidden(mut rider: AttachedStatements, id: &str, now_ms: i64) -> AttachedStatements {
    rider.push(Statement { sql: HIDE, values: vec![id.into(), now_ms.into()] });
    rider
}

fn moved(cas: &'static Cas, id: &str, now_ms: i64) -> Statement {
    let mut values = vec![id.into(), cas.to.into(), cas.from.into()];
    if cas.needs_now {
        values.push(now_ms.into());
    }
    Statement { sql: cas.sql, values }
}

/// Writes the provider that is about to be asked.
pub(super) async fn note(store: &Store, id: &str, maker: &VideoSource) -> Result<(), StoreError> {
    let mut transaction = store.begin_unordered().await?;
    let noted = query(NOTE).bind(id).bind(&maker.upstream).bind(&maker.model).bind(&maker.path);
    noted.execute(&mut transaction).await.map_err(StoreError::write("the maker of a video"))?;
    transaction.commit().await.map_err(StoreError::commit("the maker of a video"))
}

/// Writes the provider's name for a task.
pub(super) async fn name(store: &Store, id: &str, name: &str) -> Result<(), StoreError> {
    let mut transaction = store.begin_unordered().await?;
    let named = query(NAME).bind(id).bind(name).execute(&mut transaction).await;
    named.map_err(StoreError::write("the name of a video"))?;
    transaction.commit().await.map_err(StoreError::commit("the name of a video"))
}

/// Writes the progress of a task, and the start of the work on it if `begun`. True if the row was still in the expected state.
pub(super) async fn progress(
    store: &Store,
    task: &VideoTaskRow,
    begun: bool,
    progress: u8,
) -> Result<bool, StoreError> {
    let mut transaction = store.begin_unordered().await?;
    let step = video_task::cas(task.state, Move::StartWork).filter(|_| begun);
    let moved = match step {
        Some(cas) => {
            let moved = query(cas.sql).bind(&task.id).bind(cas.to).bind(cas.from).execute(&mut transaction).await;
            moved.map_err(StoreError::write("the state of a video"))? == 1
        }
        None => true,
    };
    let written = query(PROGRESS).bind(&task.id).bind(i64::from(progress)).execute(&mut transaction).await;
    let open = written.map_err(StoreError::write("the progress of a video"))? == 1;
    transaction.commit().await.map_err(StoreError::commit("the progress of a video"))?;
    Ok(moved && open)
}

/// Hides a task of the account that is over. True if it did.
pub(super) async fn delete(store: &Store, account: AccountId, id: &str, now_ms: i64) -> Result<bool, StoreError> {
    let mut transaction = store.begin_unordered().await?;
    let deleted = query(DELETE).bind(id).bind(account.0).bind(now_ms).execute(&mut transaction).await;
    let deleted = deleted.map_err(StoreError::write("a deletion"))? == 1;
    transaction.commit().await.map_err(StoreError::commit("a deletion"))?;
    Ok(deleted)
}

/// A task that the caller sees.
pub(super) async fn find(
    readers: &ReadPool,
    seen: VisibleVideos,
    id: &str,
) -> Result<Option<VideoTaskRow>, StoreError> {
    let asked = seen.query((FIND, FIND_OF_KEYS), [id.into(), seen.account.0.into()]);
    let row = asked.fetch_optional(readers).await;
    row.map_err(StoreError::read("a video"))?.as_ref().map(read).transpose()
}

/// The task of that id, deleted or not, if the caller sees it or did.
pub(super) async fn find_even_deleted(
    readers: &ReadPool,
    seen: VisibleVideos,
    id: &str,
) -> Result<Option<VideoTaskRow>, StoreError> {
    let texts = (FIND_EVEN_DELETED, FIND_EVEN_DELETED_OF_KEYS);
    let row = seen.query(texts, [id.into(), seen.account.0.into()]).fetch_optional(readers).await;
    row.map_err(StoreError::read("a video"))?.as_ref().map(read).transpose()
}

/// The state of a task.
pub(super) async fn state(readers: &ReadPool, id: &str) -> Result<State, StoreError> {
    let row = query(STATE).bind(id).fetch_one(readers).await.map_err(StoreError::read("a video"))?;
    VideoRow(&row).state(0)
}

/// The provider that was asked last for a task.
pub(super) async fn find_maker(readers: &ReadPool, id: &str) -> Result<Option<VideoSource>, StoreError> {
    let row = query(MAKER).bind(id).fetch_one(readers).await.map_err(StoreError::read("a video"))?;
    VideoRow(&row).maker(0)
}

/// Open tasks, the oldest first, after the one of this time and name.
pub(super) async fn open_tasks(
    readers: &ReadPool,
    epoch: i64,
    after: Option<&(i64, String)>,
    limit: i64,
) -> Result<Vec<VideoTaskRow>, StoreError> {
    let (at, id) = after.map_or((i64::MIN, ""), |(at, id)| (*at, id.as_str()));
    let asked = query(OPEN_TASKS).bind(at).bind(id).bind(epoch).bind(limit);
    let rows = asked.fetch_all(readers).await.map_err(StoreError::read("open videos"))?;
    rows.iter().map(read).collect()
}

/// The number of open tasks of the account.
pub(super) async fn open_count(readers: &ReadPool, account: AccountId) -> Result<i64, StoreError> {
    let row = query(OPEN_COUNT).bind(account.0).fetch_one(readers).await;
    row.and_then(|row| row.try_get(0)).map_err(StoreError::read("open videos"))
}

/// Tasks that the caller sees behind `after`, and one more than `limit` where there is one.
pub(super) async fn list(
    readers: &ReadPool,
    seen: VisibleVideos,
    after: Option<&VideoTaskRow>,
    newest_first: bool,
    limit: i64,
) -> Result<Vec<VideoTaskRow>, StoreError> {
    let (texts, edge) =
        if newest_first { ((NEWEST, NEWEST_OF_KEYS), i64::MAX) } else { ((OLDEST, OLDEST_OF_KEYS), i64::MIN) };
    let (at, id) = after.map_or((edge, ""), |task| (task.created_at_ms, task.id.as_str()));
    let asked = seen.query(texts, [seen.account.0.into(), at.into(), id.into(), limit.saturating_add(1).into()]);
    let rows = asked.fetch_all(readers).await.map_err(StoreError::read("videos"))?;
    rows.iter().map(read).collect()
}

fn read(row: &DatabaseRow) -> Result<VideoTaskRow, StoreError> {
    let columns = VideoRow(row);
    let fault = columns.maybe_text(16)?.zip(columns.maybe_text(17)?);
    Ok(VideoTaskRow {
        id: columns.text(0)?,
        account: AccountId(columns.number(1)?),
        hold: HoldId(columns.number(2)?),
        state: columns.state(3)?,
        terms: VideoOrderTerms {
            model: columns.text(4)?,
            seconds: columns.small(5)?,
            price: columns.price(6)?,
            request: columns.price(21)?,
            ratio: columns.ratio(22)?,
            size: columns.maybe_text(7)?,
            prompt: columns.text(8)?,
        },
        maker: columns.maker(9)?,
        name: columns.maybe_text(12)?,
        progress: columns.small(13)?,
        made: FinishedVideo {
            url: columns.maybe_text(14)?,
            measures: columns.maybe_text(15)?.map_or_else(VideoMeasures::default, |text| measures(&text)),
        },
        fault: fault.map(|(code, message)| VideoTaskFailure { code, message }),
        created_at_ms: columns.number(18)?,
        deadline_at_ms: columns.number(19)?,
        ended_at_ms: row.try_get(20).map_err(StoreError::read("a video"))?,
    })
}

struct VideoRow<'a>(&'a DatabaseRow);

impl VideoRow<'_> {
    fn number(&self, index: usize) -> Result<i64, StoreError> {
        self.0.try_get(index).map_err(StoreError::read("a video"))
    }

    fn state(&self, index: usize) -> Result<State, StoreError> {
        let found = self.text(index)?;
        found.parse().map_err(|_| StoreError::Unreadable { what: "the state of a video", found })
    }

    /// The provider in three columns from `first` on.
    fn maker(&self, first: usize) -> Result<Option<VideoSource>, StoreError> {
        let (upstream, model) = (self.maybe_text(first)?, self.maybe_text(first + 1)?);
        let found = upstream.zip(model).zip(self.maybe_text(first + 2)?);
        Ok(found.map(|((upstream, model), path)| VideoSource { upstream, model, path }))
    }

    fn small<T: TryFrom<i64>>(&self, index: usize) -> Result<T, StoreError> {
        let number = self.number(index)?;
        let unreadable = |_| StoreError::Unreadable { what: "a number of a video", found: number.to_string() };
        T::try_from(number).map_err(unreadable)
    }

    fn price(&self, index: usize) -> Result<PicoUsd, StoreError> {
        let picos = self.number(index)?;
        PicoUsd::new(picos).map_err(|_| StoreError::Unreadable { what: "a price", found: picos.to_string() })
    }

    fn ratio(&self, index: usize) -> Result<PriceRatio, StoreError> {
        let found = self.number(index)?;
        PriceRatio::from_millionths(found)
            .map_err(|_| StoreError::Unreadable { what: "a ratio", found: found.to_string() })
    }

    fn text(&self, index: usize) -> Result<String, StoreError> {
        self.0.try_get(index).map_err(StoreError::read("a video"))
    }

    fn maybe_text(&self, index: usize) -> Result<Option<String>, StoreError> {
        self.0.try_get(index).map_err(StoreError::read("a video"))
    }
}

/// Seconds, width and height, each a number or empty, with commas between.
fn measures_text(measures: &VideoMeasures) -> String {
    let text = |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
    [measures.seconds, measures.width, measures.height].map(text).join(",")
}

fn measures(text: &str) -> VideoMeasures {
    let mut numbers = text.split(',').map(|number| number.parse().ok());
    let mut next = || numbers.next().flatten();
    VideoMeasures { seconds: next(), width: next(), height: next() }
}

#[cfg(test)]
mod tests {
    use tollgate_base::Clock;
    use tollgate_store::testing::{On, on_both, temporary_on};

    use super::*;

    macro_rules! page {
        () => {
            concat!(
                tasks_of_keys!(
                    "WHERE deleted_at IS NULL AND (created_at, task_id) < (9000000, '')",
                    "1",
                    "7",
                    "NULL",
                    "NULL"
                ),
                " ORDER BY created_at DESC, task_id DESC LIMIT 21"
            )
        };
    }

    /// Many videos of other keys: on a server the planner takes what is best for as many as there are.
    const VIDEOS: [&str; 3] = [
        "SET LOCAL session_replication_role = replica",
        "INSERT INTO video_task (task_id, account_id, hold_id, status, model, seconds, price, price_request, ratio_ppm, prompt, created_at, \
            deadline_at, key_id) SELECT 'video_' || lpad(n::text, 16, '0'), 1, n, 'queued', 'm', 1, 1, 0, 1000000, 'p', n, n, 8 + n % 9 \
            FROM generate_series(1, 100000) n",
        "ANALYZE video_task",
    ];

    on_both!(videos_of_a_key_are_found_by_an_index);

    async fn videos_of_a_key_are_found_by_an_index(on: On) {
        let (clock, _hand) = Clock::manual(1);
        let (_folder, _config, store) = temporary_on(on, &clock).await;
        let (explain, column) = match on {
            On::File => (concat!("EXPLAIN QUERY PLAN ", page!()), 3),
            On::Server => (concat!("EXPLAIN ", page!()), 0),
        };
        if on == On::Server {
            let mut transaction = store.begin_unordered().await.unwrap();
            for statement in VIDEOS {
                query(statement).execute(&mut transaction).await.unwrap();
            }
            transaction.commit().await.unwrap();
        }
        let plan = query(explain).fetch_all(store.readers()).await.unwrap();
        let plan: Vec<String> = plan.iter().map(|row| row.try_get(column).unwrap()).collect();
        assert!(plan.iter().any(|line| line.contains("video_task_by_key")), "{plan:#?}");
    }
}
