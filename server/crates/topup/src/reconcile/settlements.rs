//! The provider's own list of what it has settled: the settlement details or transaction details report that it publishes as CSV,
//! with the names of its columns in the first line and `<END>` in the last.

use tollgate_base::Moment;

/// The most lines of a report, more than one of a day has.
const LINES_MAX: usize = 5_000_000;
const END: &str = "<END>";
const PAYMENT: &str = "PAYMENT";

/// The payments of a provider's report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettlementReport(Vec<SettledPayment>);

/// A payment that the provider has settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SettledPayment {
    /// Its name at the provider.
    pub(super) payment_id: String,
    /// The name by which the provider knows its order.
    pub(super) request_id: String,
    pub(super) currency: String,
    /// None where the amount is of another currency or no number.
    pub(super) cents: Option<i64>,
    /// Unix time in milliseconds.
    pub(super) at_ms: Option<i64>,
}

/// The reason for which a file is not a report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettlementReportError {
    /// A column is missing.
    #[error("the report has no column `{0}` in its first line")]
    Column(&'static str),
    /// A line is not of the form of the others.
    #[error("line {0} of the report has not as many columns as the first")]
    Line(usize),
    /// It is not whole.
    #[error("the report does not end with {END}: it is not whole")]
    Cut,
    /// It is too long.
    #[error("the report has more than {LINES_MAX} lines")]
    TooLong,
}

impl SettlementReport {
    /// Reads a report. An amount with a point in it is in dollars, one without in cents, as the provider's messages have it.
    ///
    /// # Errors
    /// When it is none, or not whole.
    pub fn read(text: &str) -> Result<Self, SettlementReportError> {
        let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate();
        let head = lines.next().map(|(_, line)| cells(line)).unwrap_or_default();
        let column = |name: &'static str| {
            head.iter().position(|cell| cell.eq_ignore_ascii_case(name)).ok_or(SettlementReportError::Column(name))
        };
        let (id, request, kind) =
            (column("transactionId")?, column("transactionRequestId")?, column("transactionType")?);
        let (value, currency) = (column("transactionAmountValue")?, column("transactionCurrency")?);
        let time = column("paymentTime").ok();
        let mut payments = Vec::new();
        for (number, line) in lines {
            if number > LINES_MAX {
                return Err(SettlementReportError::TooLong);
            }
            let cells = cells(line);
            if cells.first().is_some_and(|first| first == END) {
                return Ok(Self(payments));
            }
            if line.trim().is_empty() {
                continue;
            }
            if cells.len() != head.len() {
                return Err(SettlementReportError::Line(number + 1));
            }
            if !cells[kind].eq_ignore_ascii_case(PAYMENT) {
                continue;
            }
            let at = time.and_then(|time| cells[time].parse::<Moment>().ok());
            payments.push(SettledPayment {
                payment_id: cells[id].clone(),
                request_id: cells[request].clone(),
                cents: cents(&cells[value]).filter(|_| cells[currency] == "USD"),
                currency: cells[currency].clone(),
                at_ms: at.map(Moment::unix_ms),
            });
        }
        Err(SettlementReportError::Cut)
    }

    pub(super) fn payments(&self) -> impl Iterator<Item = &SettledPayment> {
        self.0.iter()
    }
}

fn cents(text: &str) -> Option<i64> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('.') {
        None if digits(text) => text.parse().ok(),
        Some((whole, part)) if digits(whole) && digits(part) && (1..=2).contains(&part.len()) => {
            format!("{whole}{part:0<2}").parse().ok()
        }
        None | Some(_) => None,
    }
}

/// The cells of a line; a cell that has commas or quotes in it stands between quotes.
fn cells(line: &str) -> Vec<String> {
    let (mut all, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.trim_end_matches('\r').chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => all.push(std::mem::take(&mut cell).trim().to_owned()),
            letter => cell.push(letter),
        }
    }
    all.push(cell.trim().to_owned());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "settlementBatchId,transactionId,transactionRequestId,transactionType,paymentTime,\
        transactionAmountValue,transactionCurrency";

    #[test]
    fn payments_are_read_and_nothing_else() {
        let text = format!(
            "\u{feff}{HEAD}\r\nB1,P1,tg1,PAYMENT,2026-11-21T03:00:00+08:00,500,USD\r\nB1,R1,rf1,REFUND,,500,USD\r\n\
             B1,\"P,2\",tg2,payment,,12.5,USD\r\nB1,P3,tg3,PAYMENT,,500,EUR\r\n<END>\r\n"
        );
        let read: Vec<_> = SettlementReport::read(&text).unwrap().0;
        let told: Vec<_> = read.iter().map(|of| (of.payment_id.as_str(), of.request_id.as_str(), of.cents)).collect();
        assert_eq!(told, [("P1", "tg1", Some(500)), ("P,2", "tg2", Some(1250)), ("P3", "tg3", None)]);
        assert_eq!((read[0].at_ms, read[1].at_ms), (Some(1_795_201_200_000), None));
    }

    #[test]
    fn another_file_or_a_part_of_one_is_refused() {
        let read = |text: &str| SettlementReport::read(text).unwrap_err();
        assert_eq!(read(""), SettlementReportError::Column("transactionId"));
        assert_eq!(
            read(&HEAD.replace("transactionCurrency", "x")),
            SettlementReportError::Column("transactionCurrency")
        );
        assert_eq!(read(&format!("{HEAD}\nB1,P1,tg1,PAYMENT,,500,USD\n")), SettlementReportError::Cut);
        assert_eq!(read(&format!("{HEAD}\nB1,P1,tg1,PAYMENT\n<END>")), SettlementReportError::Line(2));
    }

    #[test]
    fn amounts_with_a_point_are_dollars() {
        for (text, expected) in
            [("500", Some(500)), ("5.00", Some(500)), ("5.5", Some(550)), ("5.", None), ("5.001", None), ("-5", None)]
        {
            assert_eq!(cents(text), expected, "{text}");
        }
    }
}
