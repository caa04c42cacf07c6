//! The table.

/// One figure of one subject in one round.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    pub(crate) value: u64,
}

/// Prints the medians of all rounds, a line for each figure, and the last subject's ratio to the one before it.
pub(crate) fn print(rows: &[(&str, Vec<Figure>)]) {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for figure in rows.iter().flat_map(|(_, figures)| figures) {
        if !names.contains(&(&figure.name, figure.unit)) {
            names.push((&figure.name, figure.unit));
        }
    }
    println!("| figure | unit | {} | ratio |", rows.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" | "));
    println!("| --- | --- |{} --- |", " ---: |".repeat(rows.len()));
    for (name, unit) in names {
        let medians: Vec<Option<u64>> = rows.iter().map(|(_, figures)| median(figures, name)).collect();
        let cells: Vec<String> =
            medians.iter().map(|median| median.map_or("-".to_owned(), |value| value.to_string())).collect();
        println!("| {name} | {unit} | {} | {} |", cells.join(" | "), ratio(&medians));
    }
}

/// `None` where it was not taken of this subject.
fn median(figures: &[Figure], name: &str) -> Option<u64> {
    let mut values: Vec<u64> = figures.iter().filter(|figure| figure.name == name).map(|figure| figure.value).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

/// The last to the one before it, in hundredths.
fn ratio(values: &[Option<u64>]) -> String {
    match values {
        [.., Some(reference), Some(value)] if *reference > 0 => {
            let hundredths = value * 100 / reference;
            format!("{}.{:02}", hundredths / 100, hundredths % 100)
        }
        _ => "-".to_owned(),
    }
}
