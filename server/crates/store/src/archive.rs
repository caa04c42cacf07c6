//! An archive file of rows: text, compressed with gzip.

use std::fs::{File, OpenOptions, remove_file, rename};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};

/// A file that is being written, beside the name that it gets when it is whole. Dropped before, it is removed.
pub struct ArchiveFile {
    part: PartialFile,
    hash: Sha256,
    gzip: GzEncoder<BufWriter<File>>,
}

/// A file that is whole and on the disk, and has its name once it is kept. Dropped before, it is removed.
pub struct WholeArchive {
    part: PartialFile,
    sha256: [u8; 32],
}

struct PartialFile {
    path: PathBuf,
    part: PathBuf,
    kept: bool,
}

impl ArchiveFile {
    /// Begins a file, for its owner alone. `comment` stands in its head.
    ///
    /// # Errors
    /// When there is a file of that name, or none can be made.
    pub fn create(path: &Path, comment: &str) -> io::Result<Self> {
        if path.exists() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", part.display()));
        let file = options.open(&part).map_err(named)?;
        let part = PartialFile { path: path.to_owned(), part: part.into(), kept: false };
        let gzip = GzBuilder::new().comment(comment).write(BufWriter::new(file), Compression::default());
        Ok(Self { part, hash: Sha256::new(), gzip })
    }

    /// Takes the next piece of the text.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn take(&mut self, piece: &[u8]) -> io::Result<()> {
        self.hash.update(piece);
        self.gzip.write_all(piece)
    }

    /// Ends the text, and waits until all of it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> io::Result<WholeArchive> {
        let file = self.gzip.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        Ok(WholeArchive { part: self.part, sha256: self.hash.finalize().into() })
    }
}

impl WholeArchive {
    /// The SHA-256 of the text, before it is compressed.
    #[must_use]
    pub const fn sha256(&self) -> &[u8; 32] {
        &self.sha256
    }

    /// The name that it gets.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.part.path
    }

    /// Gives it its name, and waits until that is on the disk.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn keep(mut self) -> io::Result<()> {
        rename(&self.part.part, &self.part.path)?;
        self.part.kept = true;
        let folder = self.part.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if !self.kept {
            // Nobody is left to tell if this fails too.
            let _ = remove_file(&self.part);
        }
    }
}

/// For tests alone: the comment and the text of such a file.
#[cfg(any(test, feature = "testing"))]
pub fn unpacked(path: &Path) -> (String, String) {
    let mut decoder = flate2::read::GzDecoder::new(File::open(path).expect("a file"));
    let mut text = String::new();
    io::Read::read_to_string(&mut decoder, &mut text).expect("a text");
    let comment = decoder.header().and_then(flate2::GzHeader::comment).map(<[u8]>::to_vec).unwrap_or_default();
    (String::from_utf8(comment).expect("a text"), text)
}
