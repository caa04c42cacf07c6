//! Passwords: argon2id, a few at a time, on threads of a low priority.
//!
//! 19 MiB and two passes, the least that OWASP asks for: about twenty milliseconds of one core. A check that has nothing to
//! compare with takes the same work, so that the time does not tell which names are known.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, available_parallelism};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use tollgate_base::{AddressRange, Secret};

const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;
/// The most hashes at a time. More would take the cores from those who are signed in already, and so would more than half of
/// them.
const AT_ONCE_MAX: usize = 2;
/// The most that wait. Beyond it nobody would be reached in time.
const WAITING_MAX: usize = 64;
/// The most that wait from one address: nobody fills the queue alone.
const WAITING_OF_ONE: u32 = 8;
/// The addition to the nice value of a thread that hashes. The threads that answer requests have about nine tenths of a core
/// that they share with it.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;
/// A hash of the same cost of which nobody knows the password: both parts were drawn at random.
const DECOY: &str = "$argon2id$v=19$m=19456,t=2,p=1$ebAO8Q0pHTkgZACB8MHXsg$6zlq5IaJ2Ve53bmkLCeYAQr0CgD+X/NY2KMmF26HFLw";

/// Makes and checks hashes of passwords.
#[derive(Debug)]
pub(super) struct PasswordHashPool {
    line: Arc<Semaphore>,
    waiting: Arc<PasswordQueueCounts>,
    desks: Arc<Semaphore>,
    /// Hashes computed so far, for checks as well.
    computed: AtomicU64,
}

/// The number of those that wait, by their address.
type PasswordQueueCounts = Mutex<HashMap<Option<AddressRange>, u32>>;

/// A place in the queue of passwords to be checked.
#[derive(Debug)]
pub(super) struct PasswordQueuePlace {
    _in_line: OwnedSemaphorePermit,
    from: Option<AddressRange>,
    waiting: Arc<PasswordQueueCounts>,
}

impl Drop for PasswordQueuePlace {
    fn drop(&mut self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = waiting.get_mut(&self.from) {
            *count -= 1;
            if *count == 0 {
                waiting.remove(&self.from);
            }
        }
    }
}

/// The reasons why there is no answer about a password.
#[derive(Debug, thiserror::Error)]
pub(super) enum PasswordError {
    /// Too many wait.
    #[error("too many passwords wait to be checked")]
    Busy,
    /// The stored text is no hash, or memory is short.
    #[error("a password could not be hashed or compared")]
    Broken(#[source] argon2::password_hash::Error),
    /// No thread can be started.
    #[error("starting a thread that hashes a password failed")]
    NoThread(#[source] io::Error),
    /// The thread was lost.
    #[error("the thread that hashes a password ended before its answer")]
    Lost,
}

impl Default for PasswordHashPool {
    fn default() -> Self {
        let semaphore = |places| Arc::new(Semaphore::new(places));
        let at_once = (available_parallelism().map_or(1, NonZero::get) / 2).clamp(1, AT_ONCE_MAX);
        let (line, desks) = (semaphore(WAITING_MAX), semaphore(at_once));
        Self { line, waiting: Arc::default(), desks, computed: AtomicU64::new(0) }
    }
}

impl PasswordHashPool {
    /// A place in the queue for a client of this address; without one, for the service itself.
    pub(super) fn enqueue(&self, from: Option<IpAddr>) -> Result<PasswordQueuePlace, PasswordError> {
        let in_line = self.line.clone().try_acquire_owned().map_err(|_| PasswordError::Busy)?;
        let from = from.map(AddressRange::of_client);
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let count = waiting.entry(from).or_default();
        if *count >= WAITING_OF_ONE {
            return Err(PasswordError::Busy);
        }
        *count += 1;
        Ok(PasswordQueuePlace { _in_line: in_line, from, waiting: self.waiting.clone() })
    }

    /// A hash to be stored, as a PHC string.
    pub(super) async fn hash(&self, place: PasswordQueuePlace, password: Secret) -> Result<String, PasswordError> {
        let hashed = self.run_with_permit(place, move || {
            let hash = hasher().hash_password(password.reveal().as_bytes())?;
            Ok(hash.to_string())
        });
        hashed.await
    }

    /// True if a password is the stored one. Where none is stored the answer is no, after as much work.
    pub(super) async fn fits(
        &self,
        place: PasswordQueuePlace,
        password: Secret,
        stored: Option<String>,
    ) -> Result<bool, PasswordError> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| DECOY.to_owned());
        let compared = self.run_with_permit(place, move || {
            let hash = PasswordHash::new(&stored)?;
            match hasher().verify_password(password.reveal().as_bytes(), &hash) {
                Ok(()) => Ok(true),
                Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
                Err(error) => Err(error),
            }
        });
        Ok(compared.await? && known)
    }

    /// A key of 32 bytes that the password and the salt give, for as much work as a hash.
    pub(super) async fn derive(
        &self,
        place: PasswordQueuePlace,
        password: Secret,
        salt: [u8; 16],
    ) -> Result<[u8; 32], PasswordError> {
        let derived = self.run_with_permit(place, move || {
            let mut key = [0; 32];
            sealing().hash_password_into(password.reveal().as_bytes(), &salt, &mut key)?;
            Ok(key)
        });
        derived.await
    }

    /// Runs the work once a permit is free.
    /// The work goes on to its end where the client has gone meanwhile, so the permit goes with the work and not with the
    /// request.
    async fn run_with_permit<T: Send + 'static>(
        &self,
        place: PasswordQueuePlace,
        work: impl FnOnce() -> Result<T, argon2::password_hash::Error> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let desk = self.desks.clone().acquire_owned().await.map_err(|_| PasswordError::Lost)?;
        self.computed.fetch_add(1, Ordering::Relaxed);
        let places = (place, desk);
        let (answer, answered) = oneshot::channel();
        let hashing = move || {
            lower_priority();
            // The places go with the answer: a thread of a low priority that gives them back would keep others waiting for
            // their lock. Where nobody waits for the answer any more, they are given back here.
            let _ = answer.send((work(), places));
        };
        thread::Builder::new().name("password".to_owned()).spawn(hashing).map_err(PasswordError::NoThread)?;
        let (done, _places) = answered.await.map_err(|_| PasswordError::Lost)?;
        done.map_err(PasswordError::Broken)
    }

    /// The number of hashes that have been computed.
    #[cfg(test)]
    pub(super) fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }
}

/// Lowers the priority of the calling thread alone, which Linux can do.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        static TOLD: std::sync::Once = std::sync::Once::new();
        TOLD.call_once(|| {
            tracing::warn!(%error, "threads that hash passwords keep the priority of those that answer requests");
        });
    }
}

/// The work behind a key that seals, which stays as it is: nothing that is sealed tells it.
fn sealing() -> Argon2<'static> {
    let params = Params::new(19_456, 2, 1, None).expect("these are within the bounds of argon2");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
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

    fn from(last: u8) -> Option<IpAddr> {
        Some(IpAddr::from([192, 0, 2, last]))
    }

    impl PasswordHashPool {
        async fn hash_of(&self, text: &str) -> Result<String, PasswordError> {
            self.hash(self.enqueue(from(1))?, secret(text)).await
        }

        async fn fits_for(
            &self,
            from: Option<IpAddr>,
            text: &str,
            stored: Option<&str>,
        ) -> Result<bool, PasswordError> {
            self.fits(self.enqueue(from)?, secret(text), stored.map(str::to_owned)).await
        }
    }

    #[tokio::test]
    async fn a_password_fits_its_hash_alone() {
        let passwords = PasswordHashPool::default();
        let one = passwords.hash_of("correct horse").await.expect("a hash");
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$") && !one.contains("horse"), "{one}");
        assert_ne!(passwords.hash_of("correct horse").await.expect("a hash"), one, "salted");
        assert!(passwords.fits_for(from(1), "correct horse", Some(&one)).await.expect("compared"));
        assert!(!passwords.fits_for(from(1), "correct horsf", Some(&one)).await.expect("compared"));
        let broken = passwords.fits_for(from(1), "x", Some("none")).await;
        assert!(matches!(broken, Err(PasswordError::Broken(_))));
    }

    #[tokio::test]
    async fn nothing_stored_is_as_much_work_and_never_fits() {
        let passwords = PasswordHashPool::default();
        let decoy = PasswordHash::new(DECOY).expect("a hash");
        let real = passwords.hash_of("x").await.expect("a hash");
        let real = PasswordHash::new(&real).expect("a hash");
        assert_eq!((decoy.algorithm, decoy.version, &decoy.params), (real.algorithm, real.version, &real.params));
        let length = |hash: &PasswordHash| hash.hash.as_ref().map(argon2::password_hash::phc::Output::len);
        assert_eq!(length(&decoy), length(&real));
        let before = passwords.computed();
        assert!(!passwords.fits_for(from(1), "x", None).await.expect("compared"));
        assert_eq!(passwords.computed(), before + 1);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn hashes_have_a_low_priority_and_what_asks_for_them_keeps_its_own() {
        let nice = || rustix::process::getpriority_process(None).expect("told");
        let passwords = PasswordHashPool::default();
        let place = passwords.enqueue(from(1)).expect("a place");
        let before = nice();
        let told = passwords.run_with_permit(place, move || Ok(nice())).await.expect("ran");
        assert_eq!((told, nice()), ((before + NICENESS).min(19), before));
    }

    #[tokio::test]
    async fn a_few_at_once_and_a_bounded_line() {
        let passwords = PasswordHashPool::default();
        let all = u32::try_from(passwords.desks.available_permits()).expect("few");
        assert!((1..=2).contains(&all));
        let desks = passwords.desks.clone().acquire_many_owned(all).await.expect("open");
        let waiting = passwords.line.clone().acquire_many_owned(63).await.expect("open");
        let mut last = Box::pin(passwords.fits_for(from(1), "x", None));
        assert!(futures_util::poll!(&mut last).is_pending(), "it waits for a desk");
        assert!(matches!(passwords.fits_for(from(2), "x", None).await, Err(PasswordError::Busy)));
        drop(desks);
        assert!(!last.await.expect("its turn comes"));
        drop(waiting);
    }

    #[test]
    fn one_address_does_not_fill_the_line() {
        let passwords = PasswordHashPool::default();
        let places: Vec<PasswordQueuePlace> = (0..8).map(|_| passwords.enqueue(from(1)).expect("a place")).collect();
        assert!(matches!(passwords.enqueue(from(1)), Err(PasswordError::Busy)));
        assert_eq!(passwords.line.available_permits(), 56, "whoever is refused takes no place");
        let other = passwords.enqueue(from(2)).expect("a place for another");
        drop(places);
        drop(other);
        assert!(passwords.enqueue(from(1)).is_ok());
        assert_eq!((passwords.line.available_permits(), passwords.waiting.lock().expect("whole").len()), (64, 0));
    }
}
