//! Replies as CSV (RFC 4180): the rows of a list in the reply, a column for each value of a row.
//!
//! Made from the JSON of the reply and not from its types, so that a number is told digit by digit as it is there.

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::response::Response;
use http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE, VARY};
use http::{HeaderMap, HeaderValue};
use serde::Serialize;
use serde_json::value::RawValue;

use super::params::{decode_query_value, query_pairs};
use super::{Answer, Call, Failure, WireName};

/// The query parameter that chooses, over what `Accept` says.
const FORMAT: &str = "format";

/// The form of a reply as CSV.
#[derive(Debug)]
pub struct Table {
    /// The name of the file, without its ending.
    pub file: &'static str,
    /// The members that lead to the list.
    pub rows: &'static [&'static str],
    /// The columns: members of a row, `usage.prompt_tokens` for one inside another.
    pub columns: &'static [&'static str],
    /// The header that tells where the next page begins, and the members that lead to it.
    pub next: Option<(&'static WireName, &'static [&'static str])>,
}

type RawObject<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

impl Call {
    /// True if the answer is wanted as CSV: `format=csv`, or an `Accept` that prefers it to JSON.
    ///
    /// # Errors
    /// When `format` is neither `csv` nor `json`.
    pub fn wants_csv(&self) -> Result<bool, Failure> {
        let Some((_, raw)) = query_pairs(self.uri().query()).find(|(name, _)| name == FORMAT) else {
            return Ok(prefers_csv(&self.cx.headers));
        };
        match decode_query_value(raw).as_deref() {
            Some("csv") => Ok(true),
            Some("json") => Ok(false),
            _ => Err(self.bad_parameter(FORMAT, "one of `csv`, `json`", raw)),
        }
    }

    /// A value of the spec as the operation's success, as JSON or as CSV.
    ///
    /// # Errors
    /// When the value cannot be written; the caller learns of it as of any fault of ours.
    pub fn answer_as(&self, csv: bool, value: &impl Serialize, table: &Table) -> Answer {
        let mut response = if csv { self.csv(value, table)? } else { self.answer(value)? };
        response.headers_mut().insert(VARY, HeaderValue::from_static("accept"));
        Ok(response)
    }

    fn csv(&self, value: &impl Serialize, table: &Table) -> Answer {
        let text = serde_json::to_string(value).map_err(|_| self.broken())?;
        let reply: &RawValue = serde_json::from_str(&text).map_err(|_| self.broken())?;
        let body =
            member(reply, table.rows).and_then(|rows| written(rows, table.columns)).ok_or_else(|| self.broken())?;
        let mut response = Response::new(body.into());
        let headers = response.headers_mut();
        self.keep_private(headers);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8; header=present"));
        let named = HeaderValue::try_from(format!("attachment; filename=\"{}.csv\"", table.file));
        headers.extend(named.ok().map(|named| (CONTENT_DISPOSITION, named)));
        let next = table.next.and_then(|(name, path)| Some((name, member(reply, path)?)));
        headers.extend(next.and_then(|(name, next)| Some((name.sent(), HeaderValue::try_from(text_of(next)?).ok()?))));
        Ok(response)
    }
}

/// True if `Accept` names CSV, and JSON not before it.
fn prefers_csv(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT).into_iter().filter_map(|line| line.to_str().ok());
    let (mut csv, mut json) = (0, 0);
    for range in lines.flat_map(|line| line.split(',')) {
        let mut parts = range.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default();
        let quality = parts.find_map(|part| part.strip_prefix("q=")).map_or(1000, thousandths);
        if kind.eq_ignore_ascii_case("text/csv") {
            csv = quality;
        } else if kind.eq_ignore_ascii_case("application/json") {
            json = quality;
        }
    }
    csv > json
}

/// A quality from 0 to 1 with at most three decimals, in thousandths; 0 where it is none.
fn thousandths(text: &str) -> u32 {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{decimals:0<3}");
    digits.parse().ok().filter(|quality| decimals.len() <= 3 && *quality <= 1000).unwrap_or(0)
}

/// The value that names lead to, one inside the other.
fn member<'a>(from: &'a RawValue, names: &[&str]) -> Option<&'a RawValue> {
    names.iter().try_fold(from, |from, name| serde_json::from_str::<RawObject<'a>>(from.get()).ok()?.remove(*name))
}

/// The whole file: a header, and a line for each row.
fn written(rows: &RawValue, columns: &[&str]) -> Option<String> {
    let rows: Vec<&RawValue> = serde_json::from_str(rows.get()).ok()?;
    let mut file = String::new();
    line(&mut file, columns.iter().map(|column| Cow::Borrowed(*column)));
    for row in rows {
        let mut values = BTreeMap::new();
        flatten(row, "", &mut values)?;
        line(
            &mut file,
            columns.iter().map(|column| values.get(*column).map_or(Cow::Borrowed(""), |value| cell(value))),
        );
    }
    Some(file)
}

/// The values of a row, by the names that lead to them.
fn flatten<'a>(object: &'a RawValue, before: &str, values: &mut BTreeMap<String, &'a RawValue>) -> Option<()> {
    for (name, value) in serde_json::from_str::<RawObject<'a>>(object.get()).ok()? {
        let name = if before.is_empty() { name.into_owned() } else { format!("{before}.{name}") };
        if value.get().starts_with('{') {
            flatten(value, &name, values)?;
        } else {
            values.insert(name, value);
        }
    }
    Some(())
}

/// The text of a cell.
/// Spreadsheets take a text that begins like a formula for one, whoever wrote it; with an apostrophe in front it is a text to
/// them. Numbers are ours, and stay numbers.
fn cell(value: &RawValue) -> Cow<'_, str> {
    match value.get() {
        "null" => Cow::Borrowed(""),
        json if json.starts_with('"') => {
            let text = text_of(value).unwrap_or_default();
            let formula = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
            if text.starts_with(formula) { format!("'{text}").into() } else { text.into() }
        }
        json => Cow::Borrowed(json),
    }
}

fn text_of(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

fn line<'c>(file: &mut String, cells: impl Iterator<Item = Cow<'c, str>>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            file.push(',');
        }
        if cell.contains([',', '"', '\r', '\n']) {
            file.push('"');
            file.push_str(&cell.replace('"', "\"\""));
            file.push('"');
        } else {
            file.push_str(&cell);
        }
    }
    file.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_lines_and_no_text_a_formula() {
        let rows = r#"[
            {"id": "a,b", "n": 1.000000001, "in": {"x": -1, "t": "say \"no\""}, "ok": true, "none": null},
            {"id": "=1+1", "n": 0, "in": null, "ok": false, "none": "\tx"},
            {"id": "'-1", "n": 12345678901234567890, "in": {"x": 2, "t": "two\nlines"}, "ok": true, "none": "-x,\"y\""}
        ]"#;
        let rows: &RawValue = serde_json::from_str(rows).unwrap();
        let file = written(rows, &["id", "n", "in.x", "in.t", "ok", "none", "gone"]).unwrap();
        let lines = "id,n,in.x,in.t,ok,none,gone\r\n\
            \"a,b\",1.000000001,-1,\"say \"\"no\"\"\",true,,\r\n\
            '=1+1,0,,,false,'\tx,\r\n\
            '-1,12345678901234567890,2,\"two\nlines\",true,\"'-x,\"\"y\"\"\",\r\n";
        assert_eq!(file, lines);
        for first in ["=", "+", "-", "@", "\\t", "\\r", "\\n", "＝", "＋", "－", "＠"] {
            let json = format!("\"{first}SUM(A1)\"");
            assert!(cell(serde_json::from_str(&json).unwrap()).starts_with('\''), "{first}");
        }
    }

    #[test]
    fn csv_is_told_where_it_is_preferred() {
        let prefers = |accept: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, accept.parse().unwrap());
            prefers_csv(&headers)
        };
        for accept in ["text/csv", "Text/CSV; charset=utf-8", "application/json;q=0.9, text/csv", "*/*, text/csv;q=0.1"]
        {
            assert!(prefers(accept), "{accept}");
        }
        for accept in [
            "*/*",
            "application/json",
            "text/csv;q=0",
            "text/csv;q=0.5, application/json;q=0.51",
            "text/html",
            "text/csv;q=x",
        ] {
            assert!(!prefers(accept), "{accept}");
        }
    }
}
