//! Forms, taken apart by place.

use crate::form::boundary;
use crate::{FormPart, MultipartForm};

const FORM: &[u8] = b"--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--b\r\n\
    content-type: x/y; name=no\r\nContent-Disposition: form-data; filename=\"f\"; name=a\r\n\r\n\r\n--b-- \r\n";

fn part(name: &str, file_name: Option<&str>, span: std::ops::Range<usize>) -> FormPart {
    FormPart { name: name.to_owned(), file_name: file_name.map(str::to_owned), span }
}

#[test]
fn parts_are_places_in_the_body() {
    let form = MultipartForm::read(FORM, "b", 2).expect("a form");
    assert_eq!(form.parts.len(), 2);
    assert_eq!((&FORM[form.parts[0].span.clone()], &FORM[form.parts[1].span.clone()]), (&b"one"[..], &b""[..]));
    let expected = [part("a", None, form.parts[0].span.clone()), part("a", Some("f"), form.parts[1].span.clone())];
    assert_eq!(form.named("a").cloned().collect::<Vec<_>>(), expected);
    assert_eq!(form.named("b").count(), 0);
    assert_eq!(MultipartForm::read(FORM, "b", 1), Err("of too many parts"));
}

/// Whatever a client sends is a form or a refusal, never a panic, and a part lies inside the body.
#[test]
fn broken_forms_are_refused_or_read() {
    let mut refused = 0;
    for at in 0..FORM.len() {
        let mut bodies = vec![FORM[..at].to_vec(), FORM[at..].to_vec(), [&FORM[..at], &FORM[at + 1..]].concat()];
        bodies.extend([b'\r', b'\n', b'-', b'"', b'\\', b';', b'=', b':', 0xff].map(|sign| {
            let mut body = FORM.to_vec();
            body[at] = sign;
            body
        }));
        for body in bodies {
            match MultipartForm::read(&body, "b", 8) {
                Ok(form) => assert!(form.parts.iter().all(|part| body.get(part.span.clone()).is_some())),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > FORM.len(), "only {refused} were refused");
}

/// Each would be a part of another name, or two parts, to a reader that is content with less.
#[test]
fn what_could_be_read_in_two_ways_is_refused() {
    for (part, why) in [
        ("Content-Disposition: form-data; name=a; name=n", "with a header that names one thing twice"),
        (
            "Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=n",
            "with a part that has no name, or two",
        ),
        ("Content-Disposition: form-data; name=a;\r\n name=n", "with a broken line in a header"),
        ("Content-Disposition: form-data; name=a\nX: n", "with a broken line in a header"),
        ("Content-Disposition: form-data; name=a\r\n\r\n\n--b\nX: n", "with its boundary inside of a part"),
        ("X: n", "with a part that has no name, or two"),
        ("Content-Disposition: form-data; name*=a", "with a part that has no name, or two"),
        ("Content-Disposition: form-data; name=a; name*=UTF-8''n", "with a part that has no name, or two"),
    ] {
        let body = format!("--b\r\n{part}\r\n\r\n1\r\n--b--\r\n");
        assert_eq!(MultipartForm::read(body.as_bytes(), "b", 8).map(|form| form.parts), Err(why), "{part}");
    }
    let starred = b"--b\r\nContent-Disposition: form-data; name=a; filename*=UTF-8''x\r\n\r\n1\r\n--b--";
    let form = MultipartForm::read(starred, "b", 8).expect("a form");
    assert_eq!(form.parts[0].file_name.as_deref(), Some("UTF-8''x"));
}

#[test]
fn a_boundary_means_the_same_to_every_reader() {
    for (named, found) in [
        ("boundary=b", Some("b")),
        ("boundary=\"b b\"", Some("b b")),
        ("boundary=b ; charset=utf-8", Some("b")),
        ("boundary=\"b \"", None),
        ("boundary=\" b\"", None),
        ("boundary=\" \"", None),
        ("boundary=b; boundary=c", None),
    ] {
        let kind = format!("multipart/form-data; {named}");
        assert_eq!(boundary(kind.as_bytes()).as_deref(), found, "{kind}");
    }
}
