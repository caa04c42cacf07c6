//! The way to a PostgreSQL server, which a test cuts where it hurts: beside the commit of a batch.

use std::future::pending;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// What the ledger's writer says at the beginning of each batch, and nobody else.
const OF_A_BATCH: &[u8] = b"EXECUTE batch_balances";
const COMMIT: &[u8] = b"COMMIT\0";

/// What becomes of the next commit of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// The server does not hear of it, and both hear that the other is gone.
    Before,
    /// The server is done with it, and who asked does not hear.
    After,
    /// The server does not hear of it, and nobody hears anything any more.
    HangsBefore,
    /// The server is done with it, and nobody hears anything any more.
    HangsAfter,
}

/// A TCP port that leads to the server.
#[derive(Debug)]
pub struct Way {
    port: u16,
    next: Arc<Mutex<Option<Cut>>>,
    cut: watch::Sender<()>,
    silent: watch::Sender<bool>,
    _carrying: JoinSet<()>,
}

impl Way {
    /// To a server's socket.
    ///
    /// # Panics
    /// When the machine has no free port.
    pub async fn to(socket: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("a bound socket has an address").port();
        let (next, cut, silent) = (Arc::default(), watch::Sender::new(()), watch::Sender::new(false));
        let mut carrying = JoinSet::new();
        carrying.spawn(accept(listener, socket, Arc::clone(&next), cut.clone(), silent.clone()));
        Self { port, next, cut, silent, _carrying: carrying }
    }

    /// The address of a database of that server, by this way.
    ///
    /// # Panics
    /// When it is no address.
    #[must_use]
    pub fn address(&self, url: &str) -> String {
        let (_, name) = url.rsplit_once('/').expect("an address ends with a name");
        format!("postgres://test@127.0.0.1:{}/{name}", self.port)
    }

    /// What becomes of the next commit of a batch.
    ///
    /// # Panics
    /// When a caller panicked.
    pub fn next(&self, cut: Cut) {
        *self.next.lock().expect("nobody panics with it") = Some(cut);
    }

    /// Whether it was made.
    ///
    /// # Panics
    /// When a caller panicked.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.next.lock().expect("nobody panics with it").is_none()
    }

    /// Swallows whatever is said from now on, by either side and on new connections as well; nobody hears that the other is
    /// gone.
    pub fn go_silent(&self) {
        self.silent.send_replace(true);
    }

    /// Carries new connections again. Those that were there stay silent, as those do that a firewall forgot.
    pub fn speak_again(&self) {
        self.silent.send_replace(false);
    }

    /// Cuts all connections that there are.
    pub fn cut_all(&self) {
        self.cut.send_replace(());
    }
}

async fn accept(
    listener: TcpListener,
    socket: PathBuf,
    next: Arc<Mutex<Option<Cut>>>,
    cut: watch::Sender<()>,
    silent: watch::Sender<bool>,
) {
    let mut carrying = JoinSet::new();
    while let Ok((mut client, _)) = listener.accept().await {
        let (socket, next, mut cut, mut silent) = (socket.clone(), next.clone(), cut.subscribe(), silent.subscribe());
        carrying.spawn(async move {
            // A server that is not there is one that hangs up.
            let Ok(mut server) = UnixStream::connect(socket).await else { return };
            tokio::select! {
                biased;
                _ = silent.wait_for(|silent| *silent) => {}
                // Either has hung up, which the other hears when both are dropped.
                _ = carry(&mut client, &mut server, &next) => return,
                _ = cut.changed() => return,
            }
            // Both are kept, and neither is read.
            let _kept = (client, server);
            pending::<()>().await;
        });
    }
}

async fn carry(client: &mut TcpStream, server: &mut UnixStream, next: &Mutex<Option<Cut>>) -> std::io::Result<()> {
    let (mut asked, mut told) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let mut is_writer = false;
    loop {
        tokio::select! {
            length = client.read(&mut asked) => {
                let said = &asked[..length?];
                if said.is_empty() {
                    return Ok(());
                }
                is_writer |= memchr::memmem::find(said, OF_A_BATCH).is_some();
                let commits = is_writer && memchr::memmem::find(said, COMMIT).is_some();
                let cut = if commits { next.lock().expect("nobody panics with it").take() } else { None };
                match cut {
                    None => server.write_all(said).await?,
                    Some(Cut::Before) => return Ok(()),
                    Some(Cut::HangsBefore) => pending().await,
                    Some(cut @ (Cut::After | Cut::HangsAfter)) => {
                        server.write_all(said).await?;
                        let _done = server.read(&mut told).await?;
                        if cut == Cut::HangsAfter {
                            pending::<()>().await;
                        }
                        return Ok(());
                    }
                }
            }
            length = server.read(&mut told) => {
                let said = &told[..length?];
                if said.is_empty() {
                    return Ok(());
                }
                client.write_all(said).await?;
            }
        }
    }
}
