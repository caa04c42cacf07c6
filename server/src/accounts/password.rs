//! Passwords: argon2id, a few at a time, off the threads that answer requests.
//!
//! 19 MiB and two passes, the least that OWASP asks for: about twenty milliseconds of one core. A check that has nothing to
//! compare with takes the same work, so that the time does not tell which names are known.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

use crate::base::Secret;

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// More would take the cores from those who are signed in already.
const AT_ONCE: usize = 2;
/// Beyond it nobody would be reached in time.
const WAITING_MAX: usize = 64;
/// A hash of the same cost of which nobody knows the password: both parts were drawn at random.
const DECOY: &str = "$argon2id$v=19$m=19456,t=2,p=1$ebAO8Q0pHTkgZACB8MHXsg$6zlq5IaJ2Ve53bmkLCeYAQr0CgD+X/NY2KMmF26HFLw";

/// Makes and checks hashes of passwords.
#[derive(Debug)]
pub(super) struct Passwords {
    line: Arc<Semaphore>,
    desks: Arc<Semaphore>,
    /// Hashes computed so far, for checks as well.
    computed: AtomicU64,
}

/// Why there is no answer about a password.
#[derive(Debug, thiserror::Error)]
pub(super) enum PasswordError {
    /// Too many wait.
    #[error("too many passwords wait to be checked")]
    Busy,
    /// What is stored is no hash, or memory is short.
    #[error("a password could not be hashed or compared")]
    Broken(#[source] argon2::password_hash::Error),
    /// The task was lost.
    #[error("the work on a password broke off")]
    Lost,
}

impl Default for Passwords {
    fn default() -> Self {
        let semaphore = |places| Arc::new(Semaphore::new(places));
        Self { line: semaphore(AT_ONCE + WAITING_MAX), desks: semaphore(AT_ONCE), computed: AtomicU64::new(0) }
    }
}

impl Passwords {
    /// A hash to be stored, as a PHC string.
    pub(super) async fn hash(&self, password: Secret) -> Result<String, PasswordError> {
        let hashed = self.at_desk(move || {
            let hash = hasher().hash_password(password.reveal().as_bytes())?;
            Ok(hash.to_string())
        });
        hashed.await
    }

    /// Whether a password is the stored one. Where none is stored the answer is no, after as much work.
    pub(super) async fn fits(&self, password: Secret, stored: Option<String>) -> Result<bool, PasswordError> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| DECOY.to_owned());
        let compared = self.at_desk(move || {
            let hash = PasswordHash::new(&stored)?;
            match hasher().verify_password(password.reveal().as_bytes(), &hash) {
                Ok(()) => Ok(true),
                Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
                Err(error) => Err(error),
            }
        });
        Ok(compared.await? && known)
    }

    /// Runs the work when its turn comes. Whoever has gone meanwhile is worked for to the end all the same, so the desk
    /// goes with the work and not with the request.
    async fn at_desk<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, argon2::password_hash::Error> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let waiting = self.line.clone().try_acquire_owned().map_err(|_| PasswordError::Busy)?;
        let desk = self.desks.clone().acquire_owned().await.map_err(|_| PasswordError::Lost)?;
        self.computed.fetch_add(1, Ordering::Relaxed);
        let places: [OwnedSemaphorePermit; 2] = [waiting, desk];
        let done = spawn_blocking(move || {
            let done = work();
            drop(places);
            done
        });
        done.await.map_err(|_| PasswordError::Lost)?.map_err(PasswordError::Broken)
    }

    /// How many hashes have been computed.
    #[cfg(test)]
    pub(super) fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }
}

fn hasher() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("these are within the bounds of argon2");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Secret {
        Secret::new(text.to_owned())
    }

    #[tokio::test]
    async fn a_password_fits_its_hash_alone() {
        let passwords = Passwords::default();
        let one = passwords.hash(secret("correct horse")).await.expect("a hash");
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$") && !one.contains("horse"), "{one}");
        assert_ne!(passwords.hash(secret("correct horse")).await.expect("a hash"), one, "salted");
        assert!(passwords.fits(secret("correct horse"), Some(one.clone())).await.expect("compared"));
        assert!(!passwords.fits(secret("correct horsf"), Some(one)).await.expect("compared"));
        assert!(matches!(passwords.fits(secret("x"), Some("none".to_owned())).await, Err(PasswordError::Broken(_))));
    }

    #[tokio::test]
    async fn nothing_stored_is_as_much_work_and_never_fits() {
        let passwords = Passwords::default();
        let decoy = PasswordHash::new(DECOY).expect("a hash");
        let real = passwords.hash(secret("x")).await.expect("a hash");
        let real = PasswordHash::new(&real).expect("a hash");
        assert_eq!((decoy.algorithm, decoy.version, &decoy.params), (real.algorithm, real.version, &real.params));
        let length = |hash: &PasswordHash| hash.hash.as_ref().map(argon2::password_hash::phc::Output::len);
        assert_eq!(length(&decoy), length(&real));
        let before = passwords.computed();
        assert!(!passwords.fits(secret("x"), None).await.expect("compared"));
        assert_eq!(passwords.computed(), before + 1);
    }

    #[tokio::test]
    async fn two_at_once_and_a_bounded_line() {
        let passwords = Passwords::default();
        let desks = passwords.desks.clone().acquire_many_owned(2).await.expect("open");
        let waiting = passwords.line.clone().acquire_many_owned(65).await.expect("open");
        let mut last = Box::pin(passwords.fits(secret("x"), None));
        assert!(futures_util::poll!(&mut last).is_pending(), "it waits for a desk");
        assert!(matches!(passwords.fits(secret("x"), None).await, Err(PasswordError::Busy)));
        drop(desks);
        assert!(!last.await.expect("its turn comes"));
        drop(waiting);
    }
}
