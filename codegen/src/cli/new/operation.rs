//! `codegen new operation`

use clap::{Args, ValueEnum};
use tollgate_spec_language::{
    check::is_operation_name,
    model::{
        DeclaredFamily, DeclaredOperation, DeclaredRoute, KEY_MISSING, OperationAuth, ROLE_MISSING, RoleHolder,
        SpannedText, Spec, SpecSection,
    },
};

use super::{
    entry::{NewEntry, NewGroup, NewStub},
    fact,
};

/// The arguments of `codegen new operation`.
#[derive(Debug, Args)]
pub(in crate::cli) struct NewOperation {
    /// `group.verb`
    name: String,
    /// Its method.
    #[arg(long, value_enum, default_value_t = RouteMethod::Post, ignore_case = true)]
    method: RouteMethod,
    /// Its path, with `{name}` for a parameter; `/v1/group/verb` where absent.
    #[arg(long)]
    path: Option<String>,
    /// Who may call it: `public`, or schemes of `auth`. As for the operations of its group where absent.
    #[arg(long, value_name = "SCHEME", value_delimiter = ',')]
    caller: Vec<String>,
}

/// The methods of routes.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "UPPER")]
enum RouteMethod {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl NewOperation {
    /// The stub; takes after the operations of the same group, else after what stands for `/`.
    pub(super) fn stub(&self, spec: &Spec) -> Result<NewStub, String> {
        let name = &self.name;
        if !is_operation_name(name) {
            return Err("an operation is called `group.verb`, in snake case: `keys.create`".to_owned());
        }
        let (group, verb) = name.split_once('.').unwrap_or((name, "new"));
        let file = format!("spec/operations/{group}.yaml");
        let fact = fact::open(spec, &name.replace(['.', '_'], "-"), &format!("operations.{name}"), &file);
        let neighbour = spec.operations.iter().find(|(other, _)| other.split('.').next() == Some(group));
        let neighbour = neighbour.map(|(_, operation)| &operation.value);
        let method = self.method.to_possible_value().map(|method| method.get_name().to_owned()).unwrap_or_default();
        let family_of = |path: &str| {
            let route = DeclaredRoute::parse(&format!("{method} {path}")).ok()?;
            DeclaredFamily::of(&spec.families, &route)
        };
        let usual = format!("/v1/{group}/{verb}");
        let family = family_of(self.path.as_ref().unwrap_or(&usual));
        let schemes = self.schemes(neighbour.map(|operation| &operation.auth).or(family.map(|family| &family.auth)));
        let known = || schemes.iter().filter_map(|name| spec.auth.get(*name));
        let of_operators = known().any(|scheme| scheme.is_of_operators());
        let of_members = known().any(|scheme| scheme.is_of_members());
        let prefix = spec.service.as_ref().and_then(|service| service.operator_paths.first()).filter(|_| of_operators);
        let usual = prefix.map_or(usual, |prefix| format!("{}/{group}/{verb}", prefix.value));
        let path = self.path.clone().unwrap_or(usual);
        let route = format!("{method} {path}");
        let family = family_of(&path);
        let refusals = refusals(spec, neighbour.filter(|_| !schemes.is_empty()));
        let errors = refusals.map_or(String::new(), |group| format!("\n    errors: [{group}]"));
        let text = format!(
            "  {name}:\n    stage: planned\n    doc: What it does, in one sentence.\n    route: {route}\n{}{}{}{}{}    ok: \
             json{errors}\n    fact: {}\n",
            envelope(neighbour, family),
            callers(&schemes, family),
            if of_operators { roles(spec, RoleHolder::Operator, neighbour) } else { String::new() },
            if of_members { roles(spec, RoleHolder::Member, neighbour) } else { String::new() },
            parameters(spec, &path),
            fact.name,
        );
        let operation =
            NewEntry { section: SpecSection::Operations, name: name.clone(), state: ", planned", path: file, text };
        Ok(NewStub { entries: vec![operation, fact], group: NewGroup::of(spec, group), next: next() })
    }

    /// The schemes that were asked for, or those of a neighbour; none for anyone.
    fn schemes<'s>(&'s self, neighbour: Option<&'s OperationAuth>) -> Vec<&'s str> {
        match &self.caller[..] {
            [] => {
                let schemes = neighbour.into_iter().flat_map(OperationAuth::schemes);
                schemes.map(|scheme| scheme.value.as_str()).collect()
            }
            [public] if public == "public" => Vec::new(),
            schemes => schemes.iter().map(String::as_str).collect(),
        }
    }
}

/// The group of errors, among those of a neighbour, that a caller without a key or role is refused by.
fn refusals<'s>(spec: &Spec, neighbour: Option<&'s DeclaredOperation>) -> Option<&'s str> {
    let missing: Vec<&str> =
        [KEY_MISSING, ROLE_MISSING].into_iter().filter_map(|event| spec.event_code(event)).collect();
    let refuses = |group: &&SpannedText| {
        let codes = spec.groups.get(&group.value).into_iter().flat_map(|codes| &codes.value);
        codes.into_iter().any(|code| missing.contains(&code.value.as_str()))
    };
    Some(neighbour?.errors.iter().find(refuses)?.value.as_str())
}

/// The line that names the envelope, where it is not that of the family.
fn envelope(neighbour: Option<&DeclaredOperation>, family: Option<&DeclaredFamily>) -> String {
    let of_family = family.map(|family| family.envelope.value.as_str());
    let named = neighbour.map(|operation| operation.envelope.value.as_str()).or(of_family).unwrap_or("o");
    if of_family == Some(named) { String::new() } else { format!("    envelope: {named}\n") }
}

/// The line that names the callers, where they are not those of the family.
fn callers(schemes: &[&str], family: Option<&DeclaredFamily>) -> String {
    let of_family = family.into_iter().flat_map(|family| family.auth.schemes());
    match schemes {
        [] => "    auth: public\n".to_owned(),
        _ if of_family.map(|scheme| scheme.value.as_str()).eq(schemes.iter().copied()) => String::new(),
        _ => format!("    auth: [{}]\n", schemes.join(", ")),
    }
}

/// The line that names the least roles: those of a neighbour, else the first.
fn roles(spec: &Spec, holder: RoleHolder, neighbour: Option<&DeclaredOperation>) -> String {
    let named = neighbour.into_iter().flat_map(|operation| holder.named(operation));
    let of_neighbour = named.map(|role| role.value.as_str());
    let mut names: Vec<&str> = of_neighbour.collect();
    if names.is_empty() {
        names.extend(spec.roles_for(holder).keys().next().map(String::as_str));
    }
    if names.is_empty() { String::new() } else { format!("    {}: [{}]\n", holder.operation_key(), names.join(", ")) }
}

/// The line that declares the parameters of a path, but for those that are declared for all.
fn parameters(spec: &Spec, path: &str) -> String {
    let names = path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let names = names.filter(|name| !spec.parameters.contains_key(*name));
    let declared: Vec<String> =
        names.map(|name| format!("{name}: {{type: string, doc: Which one it is about.}}")).collect();
    if declared.is_empty() { String::new() } else { format!("    path: {{{}}}\n", declared.join(", ")) }
}

fn next() -> Vec<String> {
    [
        "Say what it takes and gives: route, auth, body, ok, errors, limits.",
        "Decide the fact, or name a heading of the source with `from:` and drop the fact.",
        "Take out `stage: planned` and run `cargo codegen`.",
        "`cargo check -p tollgate-server` names the handler that is missing, and what to write.",
        "`cargo codegen new example NAME --of OPERATION` adds its examples.",
    ]
    .map(str::to_owned)
    .into()
}
