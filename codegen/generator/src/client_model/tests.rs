//! What clients are made of.

use serde_json::{Value, json};

use super::{ErrorMarker, marker, read, slots};

const OWN: &[u8] = include_bytes!("../../../../spec/dist/resolved.json");

#[test]
fn an_envelope_tells_where_its_parts_stand_and_what_marks_it() {
    let nested = json!({"error": {"message": "{say}; {remedy}", "details": [{"reason": "{code}"}]}});
    let found = slots(&nested);
    assert_eq!(found.code, [json!("error"), json!("details"), json!(0), json!("reason")]);
    assert_eq!(found.message, [json!("error"), json!("message")]);
    assert!(found.request_id.is_empty());
    assert_eq!(marker(&nested), Some(ErrorMarker::Object("error".to_owned())));
    let flat = json!({"success": false, "message": "{code}"});
    assert_eq!(marker(&flat), Some(ErrorMarker::Is("success".to_owned(), json!(false))));
}

#[test]
fn the_projects_own_is_read_without_what_is_planned() {
    let document = read(OWN).expect("it is whole");
    assert!(!document.operations.is_empty());
    assert!(!document.operations.values().any(|operation| operation.planned));
}

#[test]
fn names_that_lead_nowhere_and_other_versions_are_refused() {
    let told = |change: fn(&mut Value)| {
        let mut value: Value = serde_json::from_slice(OWN).expect("JSON");
        change(&mut value);
        read(&serde_json::to_vec(&value).expect("JSON")).expect_err("it is not whole").to_string()
    };
    let type_less = told(|value| value["operations"]["chat.create"]["ok"]["type"]["ref"] = json!("Nothing"));
    assert!(type_less.contains("type `Nothing`"), "{type_less}");
    let code_less = told(|value| value["operations"]["chat.create"]["errors"] = json!(["NOTHING"]));
    assert!(code_less.contains("error `NOTHING`"), "{code_less}");
    let later = told(|value| value["$version"] = json!(2));
    assert!(later.contains("version is 2"), "{later}");
}
