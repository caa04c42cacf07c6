//! `codegen new`: each stub passes the check, but for what only its author can say.

use std::fs;

use super::Project;

#[test]
fn a_new_operation_is_planned_and_sound() {
    let project = Project::new();
    let added = project.run(&["new", "operation", "orders.refund"]);
    assert!(added.good, "{}", added.err);
    assert!(added.out.starts_with("spec/operations/orders.yaml:"), "{}", added.out);
    assert!(project.run(&["new", "operation", "tools.run_all"]).good);
    assert!(project.read("spec/operations/tools.yaml").starts_with("# yaml-language-server: $schema=../dist/"));
    let checked = project.run(&["check"]);
    assert!(checked.good, "{}", checked.err);
    assert!(checked.err.ends_with("0 errors, 2 warnings in 6 files\n"), "{}", checked.err);
}

/// A new group's text is begun in the section of such texts, or asked for, if groups must have one.
#[test]
fn a_new_group_has_a_text() {
    let project = Project::of("whole");
    let added = project.run(&["new", "operation", "parcels.list", "--caller", "public"]);
    assert!(
        added.out.contains("spec/service.yaml: group `parcels`: left to say: its text"),
        "{}{}",
        added.out,
        added.err
    );
    let text = "    parcels: What its operations are about.\n";
    assert!(project.read("spec/service.yaml").contains(&format!("    files: Files that are kept.\n{text}")));
    assert!(project.run(&["check"]).good);
    let service = project.read("spec/service.yaml");
    let (head, rest) = service.split_once("  tags:\n").expect("texts");
    let (tags, rest) = rest.split_once("  any_origin").expect("what follows");
    let tags: Vec<&str> = tags.lines().map(str::trim).collect();
    let service = format!("{head}  tags: {{{}}}\n  any_origin{rest}", tags.join(", "));
    fs::write(project.0.path().join("spec/service.yaml"), service).expect("a file");
    let added = project.run(&["new", "operation", "tools.list", "--caller", "public"]);
    let step = "1. Add `tools: …` to `tags` of the service in spec/service.yaml.";
    assert!(added.out.contains(step), "{}{}", added.out, added.err);
}

#[test]
fn a_new_operation_is_refused_where_it_would_do_harm() {
    let project = Project::new();
    let before = project.read("spec/operations/orders.yaml");
    for (name, why) in [("orders.get", "already"), ("Orders.Get", "group.verb"), ("orders", "group.verb")] {
        let refused = project.run(&["new", "operation", name]);
        assert!(!refused.good && refused.err.contains(why), "{name}: {}", refused.err);
    }
    assert_eq!(project.read("spec/operations/orders.yaml"), before);
}

/// Method, path and caller are said at once, so that nothing has to be corrected.
#[test]
fn a_new_operation_has_the_method_path_and_caller_that_are_given() {
    let project = Project::new();
    let given = ["--method", "get", "--path", "/v1/orders/{id}/refunds/{refund}", "--caller", "bearer,session"];
    let added = project.run(&[&["new", "operation", "orders.refunds"], &given[..]].concat());
    assert!(added.good, "{}{}", added.out, added.err);
    let text = project.read("spec/operations/orders.yaml");
    for line in [
        "    route: GET /v1/orders/{id}/refunds/{refund}\n",
        "    auth: [bearer, session]\n",
        "    path: {id: {type: string, doc: Which one it is about.}, refund: {type: string, doc: Which one it is about.}}\n",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(project.run(&["new", "operation", "tools.list", "--caller", "public"]).good);
    assert!(project.read("spec/operations/tools.yaml").contains("    auth: public\n"));
    assert!(project.run(&["check"]).good);
    let unknown = project.run(&["new", "operation", "tools.run", "--caller", "baerer"]);
    assert!(unknown.good && unknown.out.contains("left to say: unknown auth scheme `baerer`"), "{}", unknown.out);
}

#[test]
fn a_new_operation_of_operators_names_the_least_role() {
    let project = Project::new();
    project.edit("spec/service.yaml", "one of everything.}", "one of everything., operator_paths: [/admin]}");
    let scheme = "  op_key: {header: x-op, key_starts: op-, gives: [operator], fact: names}";
    let roles = "roles:\n  viewer: {doc: Sees all., fact: names}";
    project.edit("spec/service.yaml", "\nproofs:", &format!("{scheme}\n\n{roles}\n\nproofs:"));
    let code = "errors:\n  ROLE_MISSING: {kind: authentication, http: 403, say: no such role, do: ask for one}\n";
    project.edit("spec/errors.yaml", "errors:\n", code);
    project.edit("spec/errors.yaml", "framework:\n", "framework:\n  role_missing: ROLE_MISSING\n");
    let first = "  operators.get: {doc: One., route: GET /admin/operator, envelope: account, auth: [op_key], roles: [viewer], ok: json}";
    let head = "# yaml-language-server: $schema=../dist/spec.schema.json\nfact: names\n\noperations:\n";
    fs::write(project.0.path().join("spec/operations/operators.yaml"), format!("{head}{first}\n")).expect("a file");
    let added = project.run(&["new", "operation", "staff.list", "--method", "get", "--caller", "op_key"]);
    assert!(added.good && !added.out.contains("left to say"), "{}{}", added.out, added.err);
    let text = project.read("spec/operations/staff.yaml");
    let lines = "    route: GET /admin/staff/list\n    auth: [op_key]\n    roles: [viewer]\n";
    let without_envelope = text.lines().filter(|line| !line.contains("envelope:")).collect::<Vec<_>>().join("\n");
    assert!(without_envelope.contains(lines), "{text}");
    assert!(project.run(&["check"]).good);
}

#[test]
fn a_new_operation_that_a_session_may_call_names_the_least_member() {
    let project = Project::new();
    let roles = "member_roles:\n  head: {doc: May do all., includes: [guest], fact: names}\n  guest: {doc: Sees all., fact: names}";
    project.edit("spec/service.yaml", "\nproofs:", &format!("{roles}\n\nproofs:"));
    let code = "errors:\n  MEMBER_ROLE: {kind: authentication, http: 403, say: no such role, do: ask for one}\n";
    project.edit("spec/errors.yaml", "errors:\n", code);
    project.edit("spec/errors.yaml", "framework:\n", "framework:\n  member_role_missing: MEMBER_ROLE\n");
    let first = "  members.get: {doc: One., route: GET /v1/member, auth: [session], members: [guest], ok: json}";
    let head = "# yaml-language-server: $schema=../dist/spec.schema.json\nfact: names\n\noperations:\n";
    fs::write(project.0.path().join("spec/operations/members.yaml"), format!("{head}{first}\n")).expect("a file");
    let silent = project.run(&["check"]);
    assert!(!silent.good && silent.err.contains("error[O028]: `orders.create` admits"), "{}", silent.err);
    let callers = "    auth: [bearer, session]\n";
    project.edit("spec/operations/orders.yaml", callers, &format!("{callers}    members: [guest]\n"));
    for (operation, caller, members) in [
        ("members.list", "session", "    members: [guest]\n"),
        ("staff.list", "bearer,session", "    members: [head]\n"),
        ("things.list", "bearer", ""),
    ] {
        let added = project.run(&["new", "operation", operation, "--method", "get", "--caller", caller]);
        assert!(added.good && !added.out.contains("left to say"), "{}{}", added.out, added.err);
        let file = format!("spec/operations/{}.yaml", operation.split('.').next().expect("a group"));
        let text = project.read(&file);
        let text = &text[text.find(&format!("  {operation}:")).expect("the operation")..];
        assert_eq!(text.contains("    members: ["), !members.is_empty(), "{text}");
        assert!(text.contains(members), "{text}");
    }
    assert!(project.run(&["check"]).good);
}

#[test]
fn a_new_code_lacks_who_raises_it() {
    let project = Project::new();
    let added = project.run(&["new", "code", "ORDER_LOST", "--http", "409"]);
    assert!(added.good, "{}{}", added.out, added.err);
    assert!(added.out.starts_with("spec/errors.yaml:"), "{}", added.out);
    assert_eq!(added.out.matches("left to say: ").count(), 1, "{}", added.out);
    assert!(added.out.contains("left to say: nothing raises the error code `ORDER_LOST`"), "{}", added.out);
    project.edit("spec/errors.yaml", "$order: [ORDER_NOT_FOUND", "$order: [ORDER_LOST, ORDER_NOT_FOUND");
    let checked = project.run(&["check"]);
    assert!(checked.good, "{}", checked.err);
    let again = project.run(&["new", "code", "ORDER_LOST"]);
    assert!(!again.good && again.err.contains("the error code `ORDER_LOST` is there already"), "{}", again.err);
}

#[test]
fn a_new_machine_is_sound() {
    let project = Project::new();
    let added = project.run(&["new", "machine", "refund"]);
    assert!(added.good, "{}{}", added.out, added.err);
    assert!(added.out.starts_with("spec/machines/refund.yaml:") && !added.out.contains("left to say"), "{}", added.out);
    let checked = project.run(&["check"]);
    assert!(checked.good, "{}", checked.err);
    assert!(project.run(&[]).good);
    assert!(project.read("spec/dist/states.md").contains("## refund\n"));
}

#[test]
fn a_new_example_sends_the_least_and_is_sound() {
    let project = Project::new();
    let added = project.run(&["new", "example", "order-made", "--of", "orders.create"]);
    assert!(added.good, "{}{}", added.out, added.err);
    assert!(added.out.starts_with("spec/examples/orders.yaml:"), "{}", added.out);
    let text = project.read("spec/examples/orders.yaml");
    assert!(text.contains("    of: orders.create\n    send: {body: {amount_usd: 1}}\n    expect: {}\n"), "{text}");
    let shown = project.run(&["new", "example", "order-shown", "--of", "orders.get"]);
    assert!(shown.good && project.read("spec/examples/orders.yaml").contains("send: {path: {id: 1}}"), "{}", shown.err);
    let refused = project.run(&["new", "example", "order-over", "--of", "orders.get", "--code", "ORDER_EXPIRED"]);
    assert!(refused.good && !refused.out.contains("left to say"), "{}{}", refused.out, refused.err);
    let checked = project.run(&["check"]);
    assert!(checked.good, "{}", checked.err);
    let unknown = project.run(&["new", "example", "no", "--of", "orders.gte"]);
    assert!(!unknown.good && unknown.err.contains("there is no operation `orders.gte`"), "{}", unknown.err);
    assert!(!project.run(&["new", "example", "no"]).good, "of nothing");
}
