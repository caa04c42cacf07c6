//! From the keys as written to each room's configuration; every complaint is collected.

use std::collections::BTreeSet;
use std::time::Duration;

use indexmap::IndexMap;

use tollgate_gateway::{
    CandidateConfig, Config, MemberClasses, ModelConfig, PatternConfig, UpstreamConfig, UpstreamLimits,
};
use tollgate_video::VideoTimeouts;

use super::complaints::UnplacedComplaint;
use super::file::{self, ConfigFile, ServerMode};
use super::resolved::Settings;
use super::{admin, agent, chains, database, ewallet, groups, listener, patterns, price, secrets, tiers, traces};

/// Resolves a file. `bare` says that there was none.
pub(super) fn resolve(
    file: ConfigFile,
    bare: bool,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<Settings, Vec<UnplacedComplaint>> {
    let mut found = Vec::new();
    let sandbox = file.sandbox.enabled.unwrap_or(bare);
    check_offer(&file, sandbox, &mut found);
    public_url(&file, &mut found);
    check_sign_in(&file, &mut found);
    let admin = admin::access(&file, &mut found);
    let agents = agent::config(&file, &mut found);
    let patience = timeouts(&file, &mut found);
    let database = database::address(&file.database, file.mode, env, &mut found);
    let http = listener::config(&file.listener, &mut found);
    let fetch_allowed = listener::networks(&file.fetch.allowed, &["fetch", "allowed"], &mut found);
    let mut upstreams = IndexMap::new();
    for (name, upstream) in &file.upstreams {
        if let Some(resolved) = self::upstream(name, upstream, env, &mut found) {
            upstreams.insert(name.clone(), resolved);
        }
    }
    let (models, patterns) = models(&file, &mut found);
    names_once(&file, &mut found);
    let groups = groups::ratios(&file.groups, &mut found);
    usual_models(&file, &mut found);
    let videos = videos(&file.video, &mut found);
    let traces = traces::config(&file.telemetry, &mut found);
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
        registration: file.accounts.registration,
        admin,
        agents,
        metrics: file.metrics.open_to,
        topup,
        traces,
        gateway: Config {
            upstreams,
            models,
            patterns,
            patience,
            answers_in_flight_bytes: listener::answer_bytes(&file.listener),
            fetch_allowed,
            breaker_failures: file.breaker.failures,
            hosted_tools: file.hosted_tools,
            members: MemberClasses(
                file.members.into_iter().map(|(format, classes)| (format.letter(), classes)).collect(),
            ),
            moderation_model: file.moderation.model,
            video_model: file.video.model,
            groups,
        },
    })
}

/// Checks the offer: a sandbox, or models. Never both.
fn check_offer(file: &ConfigFile, sandbox: bool, found: &mut Vec<UnplacedComplaint>) {
    if sandbox && file.mode == ServerMode::Production {
        found.push(UnplacedComplaint::new(
            &["sandbox", "enabled"],
            "sandbox parts are refused when mode = \"production\"",
        ));
    }
    if !sandbox && file.models.is_empty() {
        found.push(UnplacedComplaint::new(
            &["models"],
            "no model is on offer: add a [models.NAME] table, or set sandbox.enabled = true",
        ));
    }
    if sandbox && !(file.upstreams.is_empty() && file.models.is_empty()) {
        let message = "sandbox credit must not buy from real upstreams: turn it off, or take out upstreams and models";
        found.push(UnplacedComplaint::new(&["sandbox", "enabled"], message));
    }
}

/// Checks that the models for requests that name none are on offer.
fn usual_models(file: &ConfigFile, found: &mut Vec<UnplacedComplaint>) {
    for (table, model) in [("moderation", &file.moderation.model), ("video", &file.video.model)] {
        if let Some(model) = model.as_ref().filter(|model| !offers(file, model)) {
            found.push(UnplacedComplaint::new(&[table, "model"], format!("there is no [models.{model}]")));
        }
    }
}

/// Demands HTTPS for people who sign in: a cookie that goes over the open net is anybody's.
fn check_sign_in(file: &ConfigFile, found: &mut Vec<UnplacedComplaint>) {
    let secure = file.public_url.as_ref().is_some_and(|url| url.starts_with("https://"));
    if file.mode != ServerMode::Production || secure {
        return;
    }
    let message = "people sign in with a cookie: set public_url to the https:// address they come by";
    let parts: [(bool, &[&str]); 2] = [
        (file.accounts.registration, &["accounts", "registration"]),
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

fn upstream(
    name: &str,
    file: &file::UpstreamTable,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<UpstreamConfig> {
    let complaints = found.len();
    if !file.base_url.starts_with("http://") && !file.base_url.starts_with("https://") {
        found.push(UnplacedComplaint::new(&["upstreams", name, "base_url"], "must start with https:// or http://"));
    }
    if file.concurrency_max == Some(0) {
        found.push(UnplacedComplaint::new(&["upstreams", name, "concurrency_max"], "must be at least 1"));
    }
    let (api_key, key_pair) = secrets::keys(name, file, env, found);
    (found.len() == complaints).then(|| UpstreamConfig {
        base_url: file.base_url.clone(),
        kind: file.format.kind(),
        concurrency_max: file.concurrency_max,
        api_key,
        key_pair,
        http: file.http,
        output_bound_field: file.output_bound_field,
        completions: file.completions,
        unknown_members: file.unknown_members,
    })
}

/// Uses of a tool that one request may be held for.
const TOOL_USES: std::ops::RangeInclusive<u64> = 1..=1_000;

/// The models on offer: by names, and by patterns of names.
fn models(
    file: &ConfigFile,
    found: &mut Vec<UnplacedComplaint>,
) -> (IndexMap<String, ModelConfig>, IndexMap<String, PatternConfig>) {
    let (mut models, mut patterns) = (IndexMap::new(), IndexMap::new());
    let expanded: BTreeSet<&String> = file.models.values().filter_map(|model| model.pattern.as_ref()).collect();
    for (name, model) in &file.models {
        patterns::check(name, model, expanded.contains(name), found);
        let pattern = name.contains('*');
        if pattern && model.price.is_none() {
            // Its names are models of their own.
            check_candidates(name, model, file, found);
            patterns.insert(name.clone(), PatternConfig::Listed);
        } else if let Some(resolved) = self::model(name, model, file, found) {
            if pattern {
                patterns.insert(name.clone(), PatternConfig::Any(Box::new(resolved)));
            } else {
                models.insert(name.clone(), resolved);
            }
        }
    }
    (models, patterns)
}

/// Checks the candidates and the fallbacks of a model.
fn check_candidates(name: &str, model: &file::ModelTable, file: &ConfigFile, found: &mut Vec<UnplacedComplaint>) {
    if model.candidates.is_empty() {
        found.push(UnplacedComplaint::new(&["models", name, "candidates"], "name at least one upstream"));
    }
    for candidate in &model.candidates {
        if !file.upstreams.contains_key(&candidate.upstream) {
            let message = format!("there is no [upstreams.{}]", candidate.upstream);
            found.push(UnplacedComplaint::new(&["models", name, "candidates"], message));
        }
    }
    fallback(name, model, file, found);
}

fn model(
    name: &str,
    model: &file::ModelTable,
    file: &ConfigFile,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<ModelConfig> {
    let complaints = found.len();
    let upstreams = model.candidates.iter().filter_map(|candidate| file.upstreams.get(&candidate.upstream));
    let kinds: Vec<_> = upstreams.map(|upstream| upstream.format.kind()).collect();
    let Some(written) = &model.price else {
        found.push(UnplacedComplaint::new(&["models", name, "price"], missing_price(name, model, file)));
        return None;
    };
    if model.listed_as.is_some() {
        let message = "there is a price beside it, which it would be in vain to look up: take one of the two out";
        found.push(UnplacedComplaint::new(&["models", name, "listed_as"], message));
    }
    let tariff = tiers::tariff(name, written, &kinds, found);
    let video = price::video(name, written, model.video_seconds.as_ref(), found);
    let image_price = written.image.as_ref().and_then(|text| price::picture(name, text, found));
    let (context_tokens, max_output_tokens) = lengths(name, model, found);
    if !TOOL_USES.contains(&model.tool_uses_max) {
        found.push(UnplacedComplaint::new(&["models", name, "tool_uses_max"], "must be from 1 to 1000"));
    }
    // Of one that stands for a pattern, the pattern is looked at.
    if model.pattern.is_none() {
        check_candidates(name, model, file, found);
    }
    let candidates = model.candidates.iter().zip(0..).map(|(candidate, place)| CandidateConfig {
        upstream: candidate.upstream.clone(),
        model: candidate.model.clone().unwrap_or_else(|| name.to_owned()),
        answers_as: candidate.answers_as.clone(),
        priority: candidate.priority.unwrap_or(place),
        weight: candidate.weight,
    });
    (found.len() == complaints).then_some(())?;
    let tariff = tariff?;
    Some(ModelConfig {
        pattern: model.pattern.clone(),
        unlisted: model.pattern.is_some() && !model.in_model_lists,
        aliases: model.aliases.clone(),
        display_name: model.display_name.clone().unwrap_or_else(|| name.to_owned()),
        owned_by: model.owned_by.clone().unwrap_or_else(|| "tollgate".to_owned()),
        created: model.created,
        context_tokens,
        max_output_tokens,
        capabilities: model.capabilities.resolve(),
        tool_uses_max: model.tool_uses_max,
        asks_for_cache: price::caches(written, &tariff.base),
        tariff,
        image_price,
        video,
        media_prices: price::media(written),
        candidates: candidates.collect(),
        fallback: model.fallback.clone(),
    })
}

/// The context and the longest output of a model, in tokens; what is missing is a complaint.
fn lengths(name: &str, model: &file::ModelTable, found: &mut Vec<UnplacedComplaint>) -> (u64, u64) {
    let keys = [("context_tokens", model.context_tokens), ("max_output_tokens", model.max_output_tokens)];
    for (key, _) in keys.iter().filter(|(_, tokens)| tokens.is_none()) {
        let message = "missing: write it here, or name a price_list that knows the model";
        found.push(UnplacedComplaint::new(&["models", name, key], message));
    }
    let (Some(context), Some(output)) = (model.context_tokens, model.max_output_tokens) else { return (0, 0) };
    if output == 0 || output > context {
        let message = "must be at least 1 and at most context_tokens";
        found.push(UnplacedComplaint::new(&["models", name, "max_output_tokens"], message));
    }
    (context, output)
}

/// The complaint about a model without a price.
fn missing_price(name: &str, model: &file::ModelTable, file: &ConfigFile) -> String {
    let listed = model.listed_as.as_deref().unwrap_or(name);
    match &file.price_list {
        Some(list) => {
            format!("missing, and {} has no [prices.{listed:?}]: a model without a price is not sold", list.display())
        }
        None => {
            "missing: a model without a price is not sold; write it here, or name a price_list that has it".to_owned()
        }
    }
}

/// The models that take the place of one are others, each once. The lists of those are not followed, so that two models
/// may name each other.
fn fallback(name: &str, model: &file::ModelTable, file: &ConfigFile, found: &mut Vec<UnplacedComplaint>) {
    for (index, other) in model.fallback.iter().enumerate() {
        let message = match file.models.get(other) {
            None => format!("there is no [models.{other}]: name a model, and not by an alias"),
            Some(_) if other.contains('*') => format!("`{other}` is a pattern: name a model"),
            Some(_) if other == name => format!("`{other}` cannot take its own place"),
            Some(_) if model.fallback[..index].contains(other) => format!("`{other}` is named twice"),
            Some(_) => continue,
        };
        found.push(UnplacedComplaint::new(&["models", name, "fallback"], message));
    }
}

/// A name or alias stands for one model.
fn names_once(file: &ConfigFile, found: &mut Vec<UnplacedComplaint>) {
    let mut owners: IndexMap<&str, &str> = file.models.keys().map(|name| (name.as_str(), name.as_str())).collect();
    for (name, model) in &file.models {
        for alias in &model.aliases {
            if let Some(owner) = owners.insert(alias, name) {
                let message = format!("`{alias}` already names the model `{owner}`");
                found.push(UnplacedComplaint::new(&["models", name, "aliases"], message));
            }
        }
    }
}

/// True if a model is on offer under that name or alias.
fn offers(file: &ConfigFile, wanted: &str) -> bool {
    let names = |(name, model): (&String, &file::ModelTable)| {
        name == wanted || model.aliases.iter().any(|alias| alias == wanted)
    };
    !wanted.contains('*') && file.models.iter().any(names)
}
