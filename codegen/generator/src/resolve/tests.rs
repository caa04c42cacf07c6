//! A small spec, lowered.

use super::{
    AbsentText, EnvelopePiece, PlaceholderValue, ResolveError, ResolvedShape, ResolvedSpec, ResolvedType, resolve,
};
use crate::diagnostics::codes::operations::WRONG_PATH;
use crate::model::EntryOrigin as _;
use crate::parse::SpecSources;
use tollgate_spec_language::check::CheckedSpec;

const SPEC: &str = r#"
service: {name: mini, title: Mini}
wire_names:
  /v: {accepts: [/v, /vendor], fact: f}
auth:
  bearer: {header: authorization, prefix: "Bearer ", gives: [account], fact: f}
kinds:
  bad: {o: bad_error}
envelopes:
  e: {style: o, body: {first: "{with?omit}", error: {say: "{say}; {remedy}", p: "{param?}", q: '{param?""}', last: "{with?omit}"}}, fact: f}
errors:
  ONE: {kind: bad, http: 400, http_in: {a: 529}, say: one, do: nothing, fact: f}
  TWO: {kind: bad, http: 404, say: "two {x}", do: nothing, with: {x: int}, names: {o: zwei}, fact: f}
groups: {$all: [ONE, TWO]}
families: {/v: e, /: e}
types:
  Reply: {fields: {kind: const reply, items: optional list of map of Item or null}, fact: f}
  Item: {fields: {n: {type: int, min: 1}}, fact: f}
  Unused: {fields: {n: int}, fact: f}
"#;

fn with_lowered(
    operations: &str,
    check: impl FnOnce(Result<ResolvedSpec<'_>, Vec<ResolveError>>, &crate::model::Spec),
) {
    with_types("", operations, check);
}

/// The small spec with further types.
fn with_types(
    types: &str,
    operations: &str,
    check: impl FnOnce(Result<ResolvedSpec<'_>, Vec<ResolveError>>, &crate::model::Spec),
) {
    let loaded = loaded(types, operations);
    check(resolve(&loaded.spec), &loaded.spec);
}

/// The small spec with further types and operations, as it is checked.
fn loaded(types: &str, operations: &str) -> CheckedSpec {
    let events: String =
        crate::model::FRAMEWORK_EVENTS.iter().map(|event| format!("  {}: ONE\n", event.name)).collect();
    let text = format!("{SPEC}{types}framework:\n{events}operations:\n{operations}");
    crate::load(&SpecSources::new([("spec/mini.yaml", text)]))
}

fn operation(name: &str, route: &str) -> String {
    format!("  {name}: {{route: {route}, envelope: e, auth: public, ok: Reply, errors: [$all, ONE], fact: f}}\n")
}

#[test]
fn references_are_resolved_and_aliases_spelled_out() {
    with_lowered(&operation("a.get", "\"GET /v/x/{*id}:run\""), |lowered, _| {
        let lowered = lowered.expect("lowers");
        let operation = &lowered.operations["a.get"];
        let routes: Vec<String> = operation.routes.iter().map(super::ResolvedRoute::words).collect();
        assert_eq!(routes, ["GET /v/x/{*id}:run", "GET /vendor/x/{*id}:run"]);
        assert_eq!(operation.errors, ["ONE", "TWO"]);
        let families: Vec<&str> = lowered.families.iter().map(|family| family.prefix.as_str()).collect();
        assert_eq!(families, ["/vendor", "/v", "/"]);
        let face = &lowered.errors["TWO"].faces["e"];
        assert_eq!((face.http, face.kind, face.code.as_str()), (404, "bad_error", "zwei"));
        let ResolvedShape::Struct { fields, .. } = &lowered.types["Reply"].shape else { panic!("a struct") };
        let items = &fields["items"];
        assert_eq!(
            items.ty,
            ResolvedType::List(Box::new(ResolvedType::Map(Box::new(ResolvedType::Ref("Item".to_owned())))))
        );
        assert_eq!(items.type_words(), "optional list of map of Item or null");
        let reached: Vec<bool> = lowered.types.values().map(|def| def.reached).collect();
        assert_eq!(reached, [true, true, false]);
    });
}

#[test]
fn envelopes_become_pieces_with_the_commas_in_place() {
    with_lowered(&operation("a.get", "GET /x"), |lowered, _| {
        let json = |text: &str| EnvelopePiece::Json(text.to_owned());
        let want = [
            json("{"),
            EnvelopePiece::Member("\"first\":".to_owned(), PlaceholderValue::With, ",".to_owned()),
            json("\"error\":{\"say\":\""),
            EnvelopePiece::Within(PlaceholderValue::Say),
            json("; "),
            EnvelopePiece::Within(PlaceholderValue::Remedy),
            json("\",\"p\":"),
            EnvelopePiece::Value(PlaceholderValue::Param, AbsentText::Null),
            json(",\"q\":"),
            EnvelopePiece::Value(PlaceholderValue::Param, AbsentText::Empty),
            EnvelopePiece::Member(",\"last\":".to_owned(), PlaceholderValue::With, String::new()),
            json("}}"),
        ];
        assert_eq!(lowered.expect("lowers").envelopes["e"].pieces, want);
    });
}

#[test]
fn what_a_router_cannot_tell_apart_is_refused_where_it_is_written() {
    let cases = [
        (["GET /x/{*rest}", "GET /x/{id}/y"], Some("takes the rest of the path after `/x/`")),
        (["POST /x/{id}:run", "GET /x/{id}/y"], Some("takes the rest")),
        (["GET /x/{*rest}", "GET /x/{id}"], Some("is the route of `a.one` too")),
        (["POST /x/{*id}:run", "GET /x/{id}"], None),
        (["POST /x/{id}:run", "POST /x/{id}:walk"], None),
        (["GET /x/{*rest}", "GET /x/known/{id}"], None),
    ];
    for (routes, want) in cases {
        let [one, two] = routes.map(|route| format!("\"{route}\""));
        with_lowered(&(operation("a.one", &one) + &operation("a.two", &two)), |lowered, spec| match want {
            None => assert!(lowered.is_ok(), "{routes:?}: {:?}", lowered.err()),
            Some(want) => {
                let refusals = lowered.expect_err("a clash");
                assert_eq!(refusals.len(), 1, "{refusals:?}");
                assert!(refusals[0].message.contains(want), "{routes:?}: {}", refusals[0].message);
                assert_eq!(refusals[0].place, spec.operations["a.two"].route.place);
            }
        });
    }
}

/// Refused until it is planned: what the language can say and the runtime cannot serve.
#[test]
fn what_cannot_be_served_is_refused_unless_it_is_planned() {
    let types = "  X: {fields: {stream: optional bool, n: int}, fact: f}\n  Y: {fields: {n: string}, fact: f}\n";
    let cases = [
        ("body: {type: X, multipart: X}, ok: Reply", Some("a form is passed on")),
        ("body: {type: X, reads: [n, stream]}, proxy: true, stream: {when: body.stream, event: Reply}", None),
        (
            "body: {type: X, reads: [n]}, proxy: true, stream: {when: body.stream, event: Reply}",
            Some("`stream` to `reads`"),
        ),
        ("body: {type: X, multipart: Y, reads: [n]}, proxy: true", Some("`n` is `int` in the one body and `string`")),
        ("body: {multipart: X, reads: [n]}, proxy: true", None),
        ("ok: bytes", None),
    ];
    for (words, want) in cases {
        for planned in [false, true] {
            let stage = if planned { ", stage: planned" } else { "" };
            let text = format!("  a.b: {{route: POST /x, envelope: e, auth: public, fact: f, {words}{stage}}}\n");
            with_types(types, &text, |lowered, _| match want.filter(|want| !planned || want.contains("one body")) {
                None => assert!(lowered.is_ok(), "{words}: {:?}", lowered.err()),
                Some(want) => {
                    let refusals = lowered.expect_err("cannot be served");
                    assert!(refusals.iter().any(|refusal| refusal.message.contains(want)), "{words}: {refusals:?}");
                }
            });
        }
    }
}

/// The heading of a file is not taken over by an entry that has a decision of its own.
#[test]
fn a_decision_of_its_own_takes_no_heading_from_the_file() {
    let text = concat!(
        "from: \"§1 A\"\nfact: f\ntypes:\n  Plain: {fields: {}}\n  Decided: {fields: {}, fact: g}\n",
        "  Elsewhere: {fields: {}, from: \"§1 B\"}\n  Both: {fields: {}, from: \"§1 B\", fact: g}\n"
    );
    let loaded = crate::load(&SpecSources::new([("spec/types.yaml", text)]));
    let origin = |name: &str| {
        let entry = &loaded.spec.types[name].value;
        [entry.from(), entry.fact()].map(|word| word.map_or("-", |word| word.value.as_str()))
    };
    let origins = ["Plain", "Decided", "Elsewhere", "Both"].map(origin);
    assert_eq!(origins, [["§1 A", "f"], ["-", "g"], ["§1 B", "f"], ["§1 B", "g"]]);
}

#[test]
fn pages_lead_to_a_list_and_a_text() {
    let types = "  Page: {fields: {data: list of int, next: string or null, more: bool}, fact: f}\n";
    let operation = |pages: &str| {
        format!(
            "  a.list: {{route: GET /x, envelope: e, auth: public, query: {{after: optional string}}, ok: Page, \
             pages: {pages}, errors: [$all], fact: f}}\n"
        )
    };
    with_types(types, &operation("{items: data, by: after, next: next, more: more}"), |lowered, _| {
        let lowered = lowered.expect("lowers");
        let pages = lowered.operations["a.list"].pages.as_ref().expect("it has pages");
        assert_eq!((pages.items.as_slice(), pages.by, pages.next.as_slice()), (&["data"][..], "after", &["next"][..]));
    });
    let wrong = [
        "{items: next, by: after, next: next}",
        "{items: data, by: before, next: next}",
        "{items: data, by: after, next: more}",
        "{items: data, by: after, next: next, more: data}",
    ];
    for pages in wrong {
        let checked = loaded(types, &operation(pages));
        let refusals = checked.diagnostics.iter().filter(|refusal| refusal.code == WRONG_PATH);
        assert!(checked.has_errors() && refusals.count() == 1, "{pages}: {:?}", checked.diagnostics);
    }
}

#[test]
fn members_may_call_what_their_role_includes() {
    let roles = "member_roles:\n  owner: {doc: All., includes: [viewer], fact: f}\n  seller: {doc: Sells., fact: f}\n  \
                 viewer: {doc: Sees., fact: f}\n";
    let operation = "  a.b: {route: GET /a, envelope: e, auth: [bearer], members: [viewer], ok: Reply, errors: [$all, ONE], fact: f}\n";
    with_types(roles, operation, |lowered, _| {
        let lowered = lowered.expect("it can be served");
        assert_eq!(lowered.member_roles.keys().copied().collect::<Vec<_>>(), ["owner", "seller", "viewer"]);
        assert_eq!(lowered.member_roles["owner"].includes, ["viewer"]);
        let operation = &lowered.operations["a.b"];
        assert_eq!((&operation.members[..], &operation.roles[..]), (&["owner", "viewer"][..], &[][..]));
    });
}
