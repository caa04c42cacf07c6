//! Tables for people, in text of one width.

/// Rows under a header, in columns that are each as wide as their widest cell. A row has a cell for each column.
#[must_use]
pub fn text_table(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([header[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded: Vec<String> = cells.zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
        padded.join("  ").trim_end().to_owned()
    };
    let head = line(&mut header.iter().copied());
    let body = rows.iter().map(|row| line(&mut row.iter().map(String::as_str)));
    std::iter::once(head).chain(body).collect::<Vec<_>>().join("\n")
}
