//! A selection that is not answered in all its formats.
use tollgate_tests::generated::ops::things::ListThingsFormat;

fn name(format: ListThingsFormat) -> &'static str {
    match format {
        ListThingsFormat::A => "a",
    }
}

fn main() {}
