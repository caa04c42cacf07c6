//! `codegen explain`: complaints about a spec, error codes of the service, classes of change.

use std::io;

use tollgate_spec_language::{
    diagnostics::{DiagnosticCode, closest},
    diff::{ChangeClass, classes},
    model::{DeclaredErrorCode, DeclaredLimit, EnvelopeStyle, RetryAdvice, SpannedText, Spec, WithType},
};

use super::{output, project::SpecProject};

/// Prints the meaning of codes; true if all of them exist. The error codes are those of the project, where there is one.
pub(super) fn explain(wanted: &[String], project: Option<&SpecProject>) -> io::Result<bool> {
    let loaded = project.map(SpecProject::load);
    let spec = loaded.as_ref().map(|loaded| &loaded.spec);
    if wanted.is_empty() {
        list(spec)?;
        return Ok(true);
    }
    let mut known = true;
    for (index, code) in wanted.iter().enumerate() {
        if index > 0 {
            output::out("")?;
        }
        known &= one(code, spec)?;
    }
    Ok(known)
}

fn one(wanted: &str, spec: Option<&Spec>) -> io::Result<bool> {
    if let Some(code) = DiagnosticCode::all().find(|code| code.as_str().eq_ignore_ascii_case(wanted)) {
        complaint(code)?;
    } else if let Some((spec, codes)) = spec.and_then(|spec| Some((spec, errors_named(spec, wanted)?))) {
        for (index, code) in codes.into_iter().enumerate() {
            if index > 0 {
                output::out("")?;
            }
            error(spec, code)?;
        }
    } else if let Some(class) = classes().find(|class| class.id.eq_ignore_ascii_case(wanted)) {
        change(class)?;
    } else {
        output::err(format_args!("error: there is no code `{wanted}`"))?;
        let mut all: Vec<&str> =
            DiagnosticCode::all().map(DiagnosticCode::as_str).chain(classes().map(|class| class.id)).collect();
        if let Some(spec) = spec {
            all.extend(spec.errors.keys().map(String::as_str));
            all.extend(spec.errors.values().flat_map(|code| on_the_wire(code)));
        }
        if let Some(meant) = closest(wanted, all) {
            output::err(format_args!("help: did you mean `{meant}`?"))?;
        }
        output::err("help: `codegen explain` lists all codes")?;
        return Ok(false);
    }
    Ok(true)
}

/// The error code of that name; or all that clients of some format know by it.
fn errors_named<'s>(spec: &'s Spec, wanted: &str) -> Option<Vec<&'s str>> {
    if let Some(code) = spec.errors.keys().find(|code| code.eq_ignore_ascii_case(wanted)) {
        return Some(vec![code]);
    }
    let known = |code: &DeclaredErrorCode| on_the_wire(code).any(|name| name.eq_ignore_ascii_case(wanted));
    let meant: Vec<&str> = spec.errors.iter().filter(|(_, code)| known(code)).map(|(name, _)| name.as_str()).collect();
    (!meant.is_empty()).then_some(meant)
}

/// The names that a code has in some formats only.
fn on_the_wire(code: &DeclaredErrorCode) -> impl Iterator<Item = &str> {
    EnvelopeStyle::ALL.iter().filter_map(|style| code.names.get(*style)).map(|name| name.value.as_str())
}

fn complaint(code: DiagnosticCode) -> io::Result<()> {
    let info = code.info();
    output::out(format_args!("{}: {}\n", info.code, info.title))?;
    output::out(format_args!("{}\n", wrapped(info.explanation)))?;
    output::out("For example:\n")?;
    info.example.lines().try_for_each(|line| output::out(format_args!("    {line}")))
}

/// Prints a code that the service answers with: its sentence, its appearance, and the operations that answer with it.
fn error(spec: &Spec, name: &str) -> io::Result<()> {
    let Some(code) = spec.errors.get(name) else { return Ok(()) };
    output::out(format_args!("{name}: {}\n", code.say.value))?;
    if let Some(doc) = &code.doc {
        output::out(format_args!("{}\n", wrapped(doc)))?;
    }
    output::out(format_args!("  to do:      {}", code.remedy.value))?;
    output::out(format_args!("  status:     {}", statuses(code)))?;
    output::out(format_args!("  kind:       {}", code.kind.value))?;
    for style in EnvelopeStyle::ALL {
        if let Some(shown) = code.names.get(style) {
            output::out(format_args!("  on the wire: `{}` in style {}", shown.value, style.key()))?;
        }
    }
    let carried: Vec<String> =
        code.with.iter().map(|(value, ty)| format!("{value} ({})", carried(ty.value.value))).collect();
    print_list("carries", &carried)?;
    output::out(format_args!("  sent again: {}", again(code.advice())))?;
    let lists = |errors: &[SpannedText]| {
        errors.iter().any(|word| {
            word.value == name
                || spec.groups.get(&word.value).is_some_and(|group| group.iter().any(|it| it.value == name))
        })
    };
    let operations = spec.operations.iter().filter(|(_, operation)| lists(&operation.errors));
    print_list("answered by", &operations.map(|(id, _)| id.clone()).collect::<Vec<_>>())?;
    let breaks = |limit: &DeclaredLimit| limit.error.as_ref().is_some_and(|error| error.value == name);
    let limits = spec.limits.iter().filter(|(_, limit)| breaks(limit));
    print_list("keeps", &limits.map(|(id, _)| id.clone()).collect::<Vec<_>>())?;
    let events = spec.framework.iter().filter(|(_, code)| code.value.value == name);
    print_list("said on", &events.map(|(event, _)| event.clone()).collect::<Vec<_>>())?;
    output::out(format_args!("  declared:   {}", spec.at(code.place)))?;
    if let Some(fact) = code.fact.as_ref().and_then(|fact| spec.facts.get(&fact.value)) {
        output::out(format_args!("\n{}", wrapped(&format!("Decided: {} Because {}", fact.choice, fact.because))))?;
    }
    Ok(())
}

fn statuses(code: &DeclaredErrorCode) -> String {
    let mut words = code.http.value.to_string();
    for style in EnvelopeStyle::ALL {
        if let Some(http) = code.http_in.get(style) {
            words.push_str(&format!(", {} in style {}", http.value, style.key()));
        }
    }
    let also: Vec<String> = code.http_also.iter().map(|http| http.value.to_string()).collect();
    if also.is_empty() { words } else { format!("{words}, or {}", also.join(", ")) }
}

const fn carried(ty: WithType) -> &'static str {
    match ty {
        WithType::String => "string",
        WithType::Int => "int",
        WithType::Usd => "usd",
        WithType::Bool => "bool",
    }
}

const fn again(retry: RetryAdvice) -> &'static str {
    match retry {
        RetryAdvice::Never => "never as it is",
        RetryAdvice::Now => "now",
        RetryAdvice::After => "after the time that Retry-After tells",
    }
}

fn print_list(what: &str, names: &[String]) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    let head = format!("{what}:");
    output::out(format_args!("  {head:<11} {}", names.join(", ")))
}

/// A class of change.
fn change(class: &ChangeClass) -> io::Result<()> {
    let breaks = match (class.breaks_sent(), class.breaks_received(), class.is_breaking()) {
        (true, true, _) => "what clients send and what they receive",
        (true, false, _) => "what clients send",
        (false, true, _) => "what clients receive",
        (false, false, true) => "what is stored",
        (false, false, false) => "nobody",
    };
    output::out(format_args!("{}: a change ({}) that breaks {breaks}\n", class.id, class.audience))?;
    output::out(format_args!("    {}", class.says))
}

fn list(spec: Option<&Spec>) -> io::Result<()> {
    DiagnosticCode::all().try_for_each(|code| output::out(format_args!("{}  {}", code.as_str(), code.info().title)))?;
    let Some(spec) = spec else { return Ok(()) };
    output::out("")?;
    spec.errors.iter().try_for_each(|(name, code)| output::out(format_args!("{name}  {}", code.say.value)))
}

/// A paragraph in lines that fit a terminal.
fn wrapped(paragraph: &str) -> String {
    const WIDTH: usize = 80;
    let mut lines = String::new();
    let mut width = 0;
    for word in paragraph.split_whitespace() {
        let length = word.chars().count();
        if width + 1 + length > WIDTH {
            lines.push('\n');
            width = 0;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines
}
