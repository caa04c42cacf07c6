//! From the keys as written to each room's configuration; every complaint is collected.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use tollgate_catalog::{FileOffer, ResolvedOffer, UnplacedComplaint};
use tollgate_gateway::{Config, MemberClasses, UpstreamLimits};
use tollgate_video::VideoTimeouts;

use super::admin::AdminAccess;
use super::file::{self, ConfigFile, ServerMode};
use super::resolved::Settings;
use super::{admin, agent, chains, console, database, ewallet, listener, mail, oidc, secrets, traces};

/// Resolves a file. `bare` says that there was none.
pub(super) fn resolve(
    file: ConfigFile,
    mut offer: FileOffer,
    bare: bool,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<Settings, Vec<UnplacedComplaint>> {
    let mut found = Vec::new();
    let sandbox = file.sandbox.enabled.unwrap_or(bare && file.mode == ServerMode::Sandbox);
    check_addresses(&file, &mut found);
    let admin = admin::access(&file, &mut found);
    check_offer(&file, sandbox, &admin, &mut found);
    let catalog = admin::catalog(&file.admin, env, &mut found);
    let branding = Arc::new(console::branding(&file.console, &mut found));
    let (oidc, mail) = (oidc::providers(&file, env, &mut found), mail::server(&file, env, &mut found));
    let (agents, patience) = (agent::config(&file, &mut found), timeouts(&file, &mut found));
    let database = database::address(&file.database, file.mode, env, &mut found);
    let http = listener::config(&file.listener, &mut found);
    let fetch_allowed = listener::networks(&file.fetch.allowed, &["fetch", "allowed"], &mut found);
    let resolved = resolve_offer(&mut offer, env, &mut found);
    let (videos, traces) = (videos(&file.video, &mut found), traces::config(&file.telemetry, &mut found));
    let (ewallet, checkout) = ewallet::rail(&file, sandbox, env, &mut found);
    let topup = tollgate_topup::Config { ewallet, checkout, ..chains::topup(&file, env, &mut found) };
    if !found.is_empty() {
        return Err(found);
    }
    Ok(Settings {
        videos,
        mode: file.mode,
        listen: file.listen,
        public_url: file.public_url.map(|url| url.trim_end_matches('/').to_owned()),
        data_dir: file.data_dir,
        database,
        log_filter: file.log.filter,
        log_format: file.log.format,
        sandbox,
        http,
        in_flight: listener::in_flight(&file.listener),
        branding,
        backup_dir: file.admin.backup_dir.clone(),
        backups_kept: file.admin.backups_kept.unwrap_or(BACKUPS_KEPT),
        in_force: Vec::new(),
        registration: file.accounts.registration,
        admin,
        catalog,
        agents,
        oidc,
        mail,
        metrics: file.metrics.open_to,
        topup,
        traces,
        offer,
        gateway: Config {
            upstreams: resolved.upstreams,
            models: resolved.models,
            patterns: resolved.patterns,
            patience,
            answers_in_flight_bytes: listener::answer_bytes(&file.listener),
            fetch_allowed,
            breaker_failures: file.breaker.failures,
            draining: BTreeSet::new(),
            hosted_tools: file.hosted_tools,
            members: MemberClasses(
                file.members.into_iter().map(|(format, classes)| (format.letter(), classes)).collect(),
            ),
            moderation_model: file.moderation.model,
            video_model: file.video.model,
            groups: resolved.groups,
        },
    })
}

/// Resolves what is on offer, and keeps the credentials of its providers beside it.
fn resolve_offer(
    offer: &mut FileOffer,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> ResolvedOffer {
    let FileOffer { offer, credentials, .. } = offer;
    offer.resolve(
        &mut |name, upstream, found| {
            let keys = secrets::keys(name, upstream, env, found);
            credentials.insert(name.to_owned(), keys.clone());
            keys
        },
        found,
    )
}

/// Checks the offer: a sandbox, or models. Never both.
fn check_offer(file: &ConfigFile, sandbox: bool, admin: &AdminAccess, found: &mut Vec<UnplacedComplaint>) {
    if sandbox && file.mode == ServerMode::Production {
        found.push(UnplacedComplaint::new(
            &["sandbox", "enabled"],
            "sandbox parts are refused when mode = \"production\"",
        ));
    }
    if !sandbox && file.models.is_empty() && !admin.is_served() {
        found.push(UnplacedComplaint::new(
            &["models"],
            "no model is on offer: add a [models.NAME] table, let operators add them by admin.listen, or set sandbox.enabled = true",
        ));
    }
    if sandbox && !(file.upstreams.is_empty() && file.models.is_empty()) {
        let message = "sandbox credit must not buy from real upstreams: turn it off, or take out upstreams and models";
        found.push(UnplacedComplaint::new(&["sandbox", "enabled"], message));
    }
}

/// Checks the address that people come by.
fn check_addresses(file: &ConfigFile, found: &mut Vec<UnplacedComplaint>) {
    public_url(file, found);
    check_sign_in(file, found);
}

/// Demands HTTPS for people who sign in: a cookie that goes over the open net is anybody's.
fn check_sign_in(file: &ConfigFile, found: &mut Vec<UnplacedComplaint>) {
    let secure = file.public_url.as_ref().is_some_and(|url| url.starts_with("https://"));
    if file.mode != ServerMode::Production || secure {
        return;
    }
    let message = "people sign in with a cookie: set public_url to the https:// address they come by";
    let parts: [(bool, &[&str]); 4] = [
        (file.accounts.registration, &["accounts", "registration"]),
        (!file.oidc.is_empty(), &["oidc"]),
        (file.mail.is_some(), &["mail"]),
        (file.topup.crypto.enabled, &["topup", "crypto", "enabled"]),
    ];
    for (_, key) in parts.into_iter().filter(|(on, _)| *on) {
        found.push(UnplacedComplaint::new(key, message));
    }
}

fn public_url(file: &ConfigFile, found: &mut Vec<UnplacedComplaint>) {
    if file.public_url.as_ref().is_some_and(|url| !url.starts_with("http://") && !url.starts_with("https://")) {
        found.push(UnplacedComplaint::new(&["public_url"], "must start with https:// or http://"));
    }
}

/// The timeouts of videos: the deadline, and the pause before the first poll.
fn videos(file: &file::VideoTable, found: &mut Vec<UnplacedComplaint>) -> VideoTimeouts {
    let default = VideoTimeouts::default();
    if file.deadline_seconds.is_some_and(|seconds| !(10..=86_400).contains(&seconds)) {
        found.push(UnplacedComplaint::new(&["video", "deadline_seconds"], "must be from 10 to 86400 seconds"));
    }
    poll_first(&["video", "poll_first_milliseconds"], file.poll_first_milliseconds, found);
    VideoTimeouts {
        deadline: file.deadline_seconds.map_or(default.deadline, Duration::from_secs),
        poll_first: file.poll_first_milliseconds.map_or(default.poll_first, Duration::from_millis),
        ..default
    }
}

/// Checks the pause before the first poll of a task: pauses grow from it on, up to ten seconds.
fn poll_first(key: &[&str], given: Option<u64>, found: &mut Vec<UnplacedComplaint>) {
    if given.is_some_and(|pause| !(10..=10_000).contains(&pause)) {
        found.push(UnplacedComplaint::new(key, "must be from 10 to 10000 milliseconds"));
    }
}

/// The timeouts of providers, and the pause before the first poll of a task.
fn timeouts(file: &ConfigFile, found: &mut Vec<UnplacedComplaint>) -> UpstreamLimits {
    let (default, given, pictures) = (UpstreamLimits::default(), &file.patience, &file.pictures);
    check_timeouts(given, found);
    poll_first(&["pictures", "poll_first_milliseconds"], pictures.poll_first_milliseconds, found);
    let seconds = |given: Option<u64>, default| given.map_or(default, Duration::from_secs);
    let patience = UpstreamLimits {
        connect: seconds(given.connect_seconds, default.connect),
        first_event: seconds(given.first_event_seconds, default.first_event),
        first_content: given.first_content_milliseconds.map_or(default.first_content, Duration::from_millis),
        idle: seconds(given.idle_seconds, default.idle),
        total: seconds(given.total_seconds, default.total),
        abandoned: seconds(given.abandoned_seconds, default.abandoned),
        poll_first: pictures.poll_first_milliseconds.map_or(default.poll_first, Duration::from_millis),
        ..default
    };
    check_poll_first(file, &patience, found);
    patience
}

/// Checks that a task is polled before its time is over; the complaint stands where something was written.
fn check_poll_first(file: &ConfigFile, patience: &UpstreamLimits, found: &mut Vec<UnplacedComplaint>) {
    let waits = file.upstreams.values().any(|upstream| upstream.format.kind().answers_with_task());
    if !waits || patience.poll_first < patience.total {
        return;
    }
    found.push(match file.pictures.poll_first_milliseconds {
        Some(_) => {
            UnplacedComplaint::new(&["pictures", "poll_first_milliseconds"], "must be less than patience.total_seconds")
        }
        None => {
            UnplacedComplaint::new(&["patience", "total_seconds"], "must be more than pictures.poll_first_milliseconds")
        }
    });
}

/// Backups that stay where the configuration does not say.
const BACKUPS_KEPT: NonZeroU32 = NonZeroU32::new(10).expect("ten is not zero");
/// The longest that a status may be held back: programs give up a connection on which nothing comes.
const FIRST_CONTENT_MS_MAX: u64 = 60_000;

/// Checks the timeouts: one of nothing answers nobody, and one beyond the request's own limit would be cut by it.
fn check_timeouts(file: &file::TimeoutsTable, found: &mut Vec<UnplacedComplaint>) {
    let most = tollgate_api::generated::limits::REQUEST_TOTAL.as_secs();
    let keys = [
        ("connect_seconds", file.connect_seconds, 1),
        ("first_event_seconds", file.first_event_seconds, 1),
        ("idle_seconds", file.idle_seconds, 1),
        ("total_seconds", file.total_seconds, 1),
        ("abandoned_seconds", file.abandoned_seconds, 0),
    ];
    for (key, given, least) in keys {
        if given.is_some_and(|seconds| seconds < least || seconds > most) {
            found.push(UnplacedComplaint::new(&["patience", key], format!("must be from {least} to {most} seconds")));
        }
    }
    if file.first_content_milliseconds.is_some_and(|held| !(10..=FIRST_CONTENT_MS_MAX).contains(&held)) {
        let message = format!("must be from 10 to {FIRST_CONTENT_MS_MAX} milliseconds");
        found.push(UnplacedComplaint::new(&["patience", "first_content_milliseconds"], message));
    }
}
