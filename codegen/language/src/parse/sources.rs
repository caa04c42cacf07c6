//! The texts of the spec.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use super::{FileId, SourceSpan};

/// The texts of a spec, sorted by path, with `\n` line ends and no byte-order mark.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpecSources {
    files: Vec<SourceFile>,
    /// Files among them that are not read, by path.
    strays: Vec<SourceFile>,
    guides: Vec<GuideText>,
}

/// A guide of the project, for people, in Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuideText {
    /// The name of its file, without the ending.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The picture that it may show, SVG: the file of the same name that ends in `.svg`.
    pub picture: Option<String>,
}

/// One text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path from the root of the project, with `/`: `spec/operations/chat.yaml`.
    pub path: String,
    /// Its content.
    pub text: String,
    /// The first byte of `text` that was not UTF-8; such bytes are replaced.
    pub not_utf8_at: Option<usize>,
}

impl SpecSources {
    /// Sources from paths and contents, in any order.
    pub fn new<P: Into<String>, B: AsRef<[u8]>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        Self::sorted(files.into_iter().map(|(path, bytes)| SourceFile::new(path.into(), bytes.as_ref())).collect())
    }

    fn sorted(mut files: Vec<SourceFile>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let (files, strays) = files.into_iter().partition(|file| Self::holds(&file.path));
        Self { files, strays, guides: Vec::new() }
    }

    /// True for the path of a file of the spec: every `*.yaml` under `spec/`, except in `spec/dist`.
    #[must_use]
    pub fn holds(path: &str) -> bool {
        path.starts_with("spec/") && path.ends_with(".yaml") && !path.starts_with("spec/dist/")
    }

    /// True for the path of a file that was probably meant as one of the spec, and is none: `spec/orders.yml`.
    fn is_stray(path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let yaml = ["yaml", "yml"].iter().any(|yaml| ending.eq_ignore_ascii_case(yaml));
        let output = path.starts_with("spec/dist/");
        !Self::holds(path) && !name.starts_with('.') && if output { yaml } else { ending != "md" }
    }

    /// The folder of the guides, from the root of the project.
    pub const GUIDES: &str = "server/guides";

    /// Reads every text of a project that [`Self::holds`], what was probably meant as one, and its guides.
    ///
    /// # Errors
    /// When a folder or file cannot be read.
    pub fn read(root: &Path) -> io::Result<Self> {
        let mut found = Vec::new();
        collect(&root.join("spec"), "spec", &mut found)?;
        let read = found.into_par_iter().map(|(path, place)| Ok(SourceFile::new(path, &fs::read(place)?)));
        // Of several that cannot be read, the first is told.
        let mut sources = Self::sorted(read.collect::<Vec<io::Result<_>>>().into_iter().collect::<io::Result<_>>()?);
        sources.guides = guides(&root.join(Self::GUIDES))?;
        Ok(sources)
    }

    /// The texts with their ids, in order.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(u32::try_from(index).unwrap_or(u32::MAX)), file))
    }

    /// The files among the texts that are not read, with ids that follow theirs.
    pub(crate) fn strays(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        let first = self.files.len();
        let numbered = self.strays.iter().enumerate();
        numbered.map(move |(index, file)| (FileId(u32::try_from(first + index).unwrap_or(u32::MAX)), file))
    }

    /// The same sources with these guides.
    #[must_use]
    pub fn with_guides(mut self, guides: &[GuideText]) -> Self {
        self.guides = guides.to_vec();
        self
    }

    /// The guides, by name.
    #[must_use]
    pub fn guides(&self) -> &[GuideText] {
        &self.guides
    }

    /// One text.
    #[must_use]
    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.iter().chain(&self.strays).nth(id.0 as usize)
    }
}

impl SourceFile {
    fn new(path: String, bytes: &[u8]) -> Self {
        let (text, not_utf8_at) = match std::str::from_utf8(bytes) {
            Ok(text) => (uniform(text), None),
            Err(error) => {
                let sound = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
                (uniform(&String::from_utf8_lossy(bytes)), Some(uniform(sound).len()))
            }
        };
        Self { path, text, not_utf8_at }
    }

    /// The place of one byte of the text.
    #[must_use]
    pub fn place_of(&self, file: FileId, at: usize) -> SourceSpan {
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let (line, column) = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
        let at = narrow(before.len());
        SourceSpan { file, start: at, end: at, line: narrow(line), column: narrow(column) }
    }
}

/// A text with `\n` as line end and without a byte-order mark, whatever the editor and the checkout made of it. A lone `\r` ends a
/// line for YAML too, so it must for whoever counts lines.
fn uniform(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

/// The guides in a folder, sorted by name; none where there is no folder.
fn guides(folder: &Path) -> io::Result<Vec<GuideText>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut guides = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if let (Some("md"), Some(name)) = (path.extension().and_then(OsStr::to_str), path.file_stem()) {
            let text = uniform(&fs::read_to_string(&path)?);
            let picture = match fs::read_to_string(path.with_extension("svg")) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                picture => Some(picture?),
            };
            guides.push(GuideText { name: name.to_string_lossy().into_owned(), text, picture });
        }
    }
    guides.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(guides)
}

/// Adds the files of the spec under a folder, and those probably meant as such: names and paths. `name` is the path of the folder
/// from the root.
fn collect(folder: &Path, name: &str, found: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &path, found)?;
        } else if SpecSources::holds(&path) || SpecSources::is_stray(&path) {
            found.push((path, entry.path()));
        }
    }
    Ok(())
}
