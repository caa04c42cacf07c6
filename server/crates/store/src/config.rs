//! The place of the ledger: a file of this machine, or a server that several machines share.

use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::postgres::{PgConnectOptions, PgSslMode};

/// The place of the store.
#[derive(Debug, Clone)]
pub enum StoreConfig {
    /// A file, for one server.
    Sqlite {
        /// The file. It is created with its folder, readable by its owner alone, where it is absent.
        path: PathBuf,
    },
    /// A PostgreSQL server, for as many of ours as it can take.
    Postgres {
        /// Its database.
        address: Box<ServerAddress>,
        /// Our tables' schema in it. It is created where it is absent.
        schema: &'static str,
        /// This server's own folder, by which it is known from one start to the next.
        folder: PathBuf,
    },
}

/// A database on a PostgreSQL server, and who we are there. Shown without the password.
#[derive(Clone)]
pub struct ServerAddress(pub(super) PgConnectOptions);

/// A text that is no address of a database. It may hold a password, so the text is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is no address of a database: write \"postgres://user@host:5432/name\"")]
pub struct AddressError;

impl ServerAddress {
    /// True if a text of this kind has a password in it.
    #[must_use]
    pub fn has_password(text: &str) -> bool {
        let Some((_, rest)) = text.split_once("://") else { return false };
        let (place, parameters) = rest.split_once('?').unwrap_or((rest, ""));
        let user = place.rsplit_once('@').map_or("", |(user, _)| user);
        user.contains(':') || parameters.split('&').any(|parameter| parameter.starts_with("password="))
    }
}

impl ServerAddress {
    /// True if somebody on the way there could read along, the password first, or answer in its place. It is on another
    /// machine, and its identity is not verified.
    #[must_use]
    pub fn is_unverified_remote(&self) -> bool {
        let host = self.0.get_host();
        let here = self.0.get_socket().is_some()
            || host.eq_ignore_ascii_case("localhost")
            || host.trim_matches(['[', ']']).parse().is_ok_and(|address: IpAddr| address.is_loopback());
        !here && !self.is_verified()
    }

    /// True if the server is asked for a certificate that is verified.
    pub(super) fn is_verified(&self) -> bool {
        matches!(self.0.get_ssl_mode(), PgSslMode::VerifyCa | PgSslMode::VerifyFull)
    }
}

impl ServerAddress {
    /// The command with which a person copies a schema there into a file. A password is asked for, or found where `psql` finds
    /// it.
    pub(super) fn dump_command(&self, schema: &str, file: &Path) -> String {
        let options = &self.0;
        let host =
            options.get_socket().map_or_else(|| options.get_host().to_owned(), |path| path.display().to_string());
        let database = options.get_database().unwrap_or(options.get_username());
        let words = [
            format!("--schema={schema}"),
            format!("--host={host}"),
            format!("--port={}", options.get_port()),
            format!("--username={}", options.get_username()),
            format!("--dbname={database}"),
            format!("--file={}", file.display()),
        ];
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=./:".contains(letter);
        let words = words.map(|word| match word.chars().all(plain) {
            true => word,
            false => format!("'{}'", word.replace('\'', r"'\''")),
        });
        format!("pg_dump --format=custom {}", words.join(" "))
    }
}

impl FromStr for ServerAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
            return Err(AddressError);
        }
        text.parse().map(Self).map_err(|_| AddressError)
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = &self.0;
        let database = options.get_database().unwrap_or_else(|| options.get_username());
        match options.get_socket() {
            Some(socket) => write!(f, "PostgreSQL at {}, database {database}", socket.display()),
            None => write!(f, "PostgreSQL at {}:{}, database {database}", options.get_host(), options.get_port()),
        }
    }
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for StoreConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite { path } => write!(f, "{}", path.display()),
            Self::Postgres { address, schema, .. } => write!(f, "{address}, schema {schema}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_copies_a_schema_has_no_password() {
        let address: ServerAddress = "postgres://me:secret@db.example:5433/books".parse().unwrap();
        assert_eq!(
            address.dump_command("tollgate", Path::new("/b/it's here")),
            r"pg_dump --format=custom --schema=tollgate --host=db.example --port=5433 --username=me --dbname=books '--file=/b/it'\''s here'"
        );
    }

    #[test]
    fn an_address_is_shown_without_its_password() {
        let text = "postgres://me:secret@db.example:5433/books";
        let address: ServerAddress = text.parse().unwrap();
        let shown = format!("{address} {address:?}");
        assert!(shown.contains("db.example:5433, database books") && !shown.contains("secret"), "{shown}");
        for wrong in ["mysql://me:secret@db/books", "books", "postgres://me:secret@db:none/books"] {
            let told = wrong.parse::<ServerAddress>().unwrap_err().to_string();
            assert!(!told.contains("secret"), "{told}");
        }
    }

    #[test]
    fn a_way_that_others_can_read_along_is_known() {
        let is_open = |text: &str| text.parse::<ServerAddress>().unwrap().is_unverified_remote();
        for text in [
            "postgres://me@db.internal/books",
            "postgres://me@10.0.0.7/books?sslmode=require",
            "postgres://me@db.internal/books?sslmode=disable",
        ] {
            assert!(is_open(text), "{text}");
        }
        for text in [
            "postgres://me@localhost/books",
            "postgres://me@127.0.0.1:5433/books",
            "postgres://me@[::1]/books",
            "postgres://me@%2Frun%2Fpostgresql/books",
            "postgres://me@db.internal/books?sslmode=verify-full",
            "postgres://me@db.internal/books?sslmode=verify-ca",
        ] {
            assert!(!is_open(text), "{text}");
        }
    }

    #[test]
    fn a_password_is_seen_wherever_it_stands() {
        assert!(ServerAddress::has_password("postgres://me:secret@db/books"));
        assert!(ServerAddress::has_password("postgres://db/books?user=me&password=secret"));
        assert!(!ServerAddress::has_password("postgres://me@db:5432/books?sslmode=require"));
        assert!(!ServerAddress::has_password("postgres://db:5432/books"));
    }
}
