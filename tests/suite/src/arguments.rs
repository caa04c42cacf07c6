//! The arguments of `tests/run`.

/// The text of `tests/run --help`.
pub(crate) const USAGE: &str = "\
tests/run [OPTIONS] [NAME...]

Without NAME: checks formatting and generated files, builds and lints the workspace, and runs every test case.
With NAME: builds the workspace and runs the cases with a part of that name (credit, x402, sdk, codegen, ledger::kill), or
else with that text in their name.

  --quick       formatting, generated files, lints, unit tests, and the cases of the first user's path
  --long        the cases that take their time as well
  --list        list the cases with their marks and the seconds that they last took, and run none
  --repeat N    run each case N times
  --busy N      run N busy loops beside the cases, to find those that expect a fast machine
  --jobs N      as for a machine of N cores; by itself, as many as this process may use
  --on-server   keep the ledgers of cases that name no database on PostgreSQL, and not in a file
  --newest      compare the lists of requests with the newest SDKs, and not with those that are pinned
  --timings     have cargo write target/cargo-timings/cargo-timing.html
  --help        this text
";

/// Cases, and the way to run them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// Parts of names; empty means every case.
    pub(crate) names: Vec<String>,
    pub(crate) quick: bool,
    pub(crate) long: bool,
    pub(crate) list: bool,
    /// Runs of each case, at least 1.
    pub(crate) repeat: usize,
    /// Busy loops beside the cases.
    pub(crate) busy: usize,
    /// Cores, where another number than the machine's is meant.
    pub(crate) jobs: Option<usize>,
    pub(crate) timings: bool,
    /// Ledgers of cases that name no database are on a database server.
    pub(crate) on_server: bool,
    /// Whether cases that compare something with the SDKs take the newest.
    pub(crate) newest: bool,
    pub(crate) help: bool,
}

impl Arguments {
    /// Reads them.
    ///
    /// # Errors
    /// A sentence that names the argument at fault.
    pub(crate) fn parse(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self { repeat: 1, ..Self::default() };
        let mut words = words;
        while let Some(word) = words.next() {
            match word.as_str() {
                "--quick" => arguments.quick = true,
                "--long" => arguments.long = true,
                "--list" => arguments.list = true,
                "--timings" => arguments.timings = true,
                "--newest" => arguments.newest = true,
                "--on-server" => arguments.on_server = true,
                "--help" | "-h" => arguments.help = true,
                "--repeat" => arguments.repeat = number(&word, words.next())?,
                "--busy" => arguments.busy = number(&word, words.next())?,
                "--jobs" => arguments.jobs = Some(number(&word, words.next())?),
                option if option.starts_with('-') => return Err(format!("unknown option {option}")),
                _ => arguments.names.push(word),
            }
        }
        if arguments.quick && arguments.long {
            return Err("--quick and --long exclude each other".to_owned());
        }
        Ok(arguments)
    }

    /// Whether everything is checked, and not only some cases run.
    pub(crate) fn is_whole(&self) -> bool {
        self.names.is_empty() && !self.list
    }
}

fn number(option: &str, word: Option<String>) -> Result<usize, String> {
    let number = word.and_then(|word| word.parse().ok()).filter(|number| *number > 0);
    number.ok_or_else(|| format!("{option} takes a number of at least 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, String> {
        Arguments::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_and_names_may_be_mixed() {
        let parsed = parse("credit --repeat 20 x402 --long").unwrap();
        assert_eq!(
            (parsed.names, parsed.repeat, parsed.long),
            (vec!["credit".to_owned(), "x402".to_owned()], 20, true)
        );
    }

    #[test]
    fn wrong_arguments_are_named() {
        for (line, message) in [
            ("--quickly", "unknown option --quickly"),
            ("--repeat", "--repeat takes a number of at least 1"),
            ("--busy none", "--busy takes a number of at least 1"),
            ("--jobs 0", "--jobs takes a number of at least 1"),
            ("--quick --long", "--quick and --long exclude each other"),
        ] {
            assert_eq!(parse(line).unwrap_err(), message);
        }
    }
}
