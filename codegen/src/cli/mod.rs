//! The commands of the binary.
//!
//! The only part of the generator that writes files other than outputs, and prints. Complaints go to the
//! standard error for people and, with `--json`, to the standard output for programs.

mod check;
mod client;
mod diff;
mod docs;
mod explain;
mod facts;
mod generate;
mod git;
mod new;
mod output;
mod package;
mod project;
mod watch;

use std::{
    io::{self, IsTerminal},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Args, Parser, Subcommand, ValueEnum};

use self::project::SpecProject;

/// Turns spec/ into Rust, SQL, schema and documents. Without a command: `gen`.
#[derive(Debug, Parser)]
#[command(name = "codegen", version, args_conflicts_with_subcommands = false)]
struct Cli {
    #[command(subcommand)]
    command: Option<CodegenCommand>,
    #[command(flatten)]
    generate: GenerateArgs,
    /// The folder that holds `spec`; looked for upwards from here.
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
    /// The use of colours.
    #[arg(long, global = true, value_enum, default_value_t = ColourChoice::Auto)]
    color: ColourChoice,
    /// Take a missing example for an error, as where `CI` is set.
    #[arg(long, global = true)]
    strict: bool,
    /// Complaints as JSON, one object per line, on the standard output.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum CodegenCommand {
    /// Read the spec and say what is wrong with it.
    Check,
    /// Write everything that follows from the spec.
    Gen(GenerateArgs),
    /// Write a client as a package.
    Client(client::ClientArgs),
    /// Write the pages of the documentation as files.
    Docs(docs::DocsArgs),
    /// Print the JSON Schema of the spec language.
    Schema,
    /// List the gaps of the source and the decisions that close them; fails while a gap has none.
    Facts,
    /// Tell what changed between two specs, and whom it breaks; fails on what was not accepted in `changes`.
    Diff(diff::DiffArgs),
    /// Generate, and again whenever something under spec/ changes.
    Watch,
    /// Explain a complaint (`K001`), an error code (`ORDER_EXPIRED`) or a class of change (`reply-field-removed`).
    Explain {
        /// The codes; without one, all are listed.
        codes: Vec<String>,
    },
    /// Add a stub of something to the spec.
    #[command(subcommand)]
    New(new::NewCommand),
}

#[derive(Debug, Clone, Copy, Default, Args)]
struct GenerateArgs {
    /// Compare instead of writing; fails where something differs.
    #[arg(long)]
    check: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ColourChoice {
    Auto,
    Always,
    Never,
}

/// Runs the command that the process was called with.
#[must_use]
pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse();
    match cli.run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // The standard error may be what failed, and then there is nobody left to tell.
            let _ = output::err(format_args!("error: {error}"));
            ExitCode::from(2)
        }
    }
}

impl Cli {
    /// Runs the command; true if all was well. An error is one of the disk.
    fn run(self) -> io::Result<bool> {
        match &self.command {
            Some(CodegenCommand::Schema) => {
                output::out(format_args!("{:#}", tollgate_spec_language::schema::language()))?;
                Ok(true)
            }
            Some(CodegenCommand::Explain { codes }) => {
                // Complaints can be explained anywhere.
                let project = self.project().ok();
                explain::explain(codes, project.as_ref())
            }
            Some(CodegenCommand::Watch) => self.project()?.watch(),
            Some(CodegenCommand::Client(args)) => args.run(|| self.project()),
            Some(CodegenCommand::Docs(args)) => self.project()?.docs(args),
            Some(CodegenCommand::Check) => self.project()?.check(),
            Some(CodegenCommand::Diff(args)) if args.only_classes() => {
                output::out(tollgate_spec_language::diff::reference().trim_end())?;
                Ok(true)
            }
            Some(CodegenCommand::Diff(args)) => self.project()?.diff(args),
            Some(CodegenCommand::Facts) => self.project()?.facts(),
            Some(CodegenCommand::New(command)) => self.project()?.new_entry(command),
            Some(CodegenCommand::Gen(args)) => {
                let check = args.check || self.generate.check;
                self.project()?.generate(check)
            }
            None => self.project()?.generate(self.generate.check),
        }
    }

    fn project(&self) -> io::Result<SpecProject> {
        let coloured = match self.color {
            ColourChoice::Always => true,
            ColourChoice::Never => false,
            ColourChoice::Auto => io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        let strict = self.strict || tollgate_spec_generator::is_ci();
        SpecProject::open(self.root.as_deref(), coloured, self.json, strict)
    }
}
