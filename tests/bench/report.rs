//! The table.

/// One figure of one subject in one round.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) value: u64,
}

/// Prints the medians of all rounds, a line for each figure, and the last subject's ratio to the one before it.
pub(crate) fn print(rows: &[(&str, Vec<Figure>)]) {
    let Some((_, first)) = rows.first() else { return };
    let mut names: Vec<(&str, &str)> = Vec::new();
    for figure in first {
        if !names.contains(&(figure.name, figure.unit)) {
            names.push((figure.name, figure.unit));
        }
    }
    println!("| figure | unit | {} | ratio |", rows.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" | "));
    println!("| --- | --- |{} --- |", " ---: |".repeat(rows.len()));
    for (name, unit) in names {
        let medians: Vec<u64> = rows.iter().map(|(_, figures)| median(figures, name)).collect();
        let cells: Vec<String> = medians.iter().map(u64::to_string).collect();
        println!("| {name} | {unit} | {} | {} |", cells.join(" | "), ratio(&medians));
    }
}

fn median(figures: &[Figure], name: &str) -> u64 {
    let mut values: Vec<u64> = figures.iter().filter(|figure| figure.name == name).map(|figure| figure.value).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The last to the one before it, in hundredths.
fn ratio(values: &[u64]) -> String {
    match values {
        [.., reference, value] if *reference > 0 => {
            let hundredths = value * 100 / reference;
            format!("{}.{:02}", hundredths / 100, hundredths % 100)
        }
        _ => "-".to_owned(),
    }
}
