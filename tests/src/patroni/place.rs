//! Where a cluster lies, and what its programs are told of it.

use std::hash::{BuildHasher, RandomState};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::{Member, USER};
use crate::postgres::{as_server_user, binary, hand_over};

/// As Debian installs them.
const ETCD: &str = "/usr/bin/etcd";
const PATRONI: &str = "/usr/bin/patroni";
const HAPROXY: &str = "/usr/sbin/haproxy";

/// After so many seconds without a word a primary has lost its place. It is no less than what Patroni asks for: the time between
/// two looks, and twice the time for which etcd and a server are tried.
const LEASE_S: u32 = 10;
const LOOK_EVERY_S: u32 = 1;
const TRY_FOR_S: u32 = 4;

/// A folder, an address, and the ports at it.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) folder: PathBuf,
    /// Of this machine and of nobody else on it. At the usual one, whoever opens a connection may be given the port of a server that
    /// is down for a while.
    pub(super) address: Ipv4Addr,
    pub(super) etcd: u16,
    etcd_peers: u16,
    /// Of HAProxy.
    pub(super) front: u16,
    /// Of PostgreSQL, by member.
    pub(super) servers: [u16; 2],
    /// Of Patroni, by member.
    pub(super) keepers: [u16; 2],
}

impl Place {
    pub(super) fn find() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder").keep();
        hand_over(&folder);
        let random = RandomState::new().hash_one(std::process::id()).to_be_bytes();
        // Far from those that others take: 127.0.0.1 and its neighbours, and the last one, which is for all.
        let address = Ipv4Addr::new(127, (random[0] & 0x3f) | 0x40, random[1], random[2] | 1);
        // All are held before the first is given back, so that no two are the same.
        let held = [(); 7].map(|()| TcpListener::bind((address, 0)).expect("a free port"));
        let [etcd, etcd_peers, front, first, second, of_first, of_second] =
            held.map(|listener| listener.local_addr().expect("a bound socket has an address").port());
        Self { folder, address, etcd, etcd_peers, front, servers: [first, second], keepers: [of_first, of_second] }
    }

    /// A port at the address.
    pub(super) fn at(&self, port: u16) -> String {
        format!("{}:{port}", self.address)
    }

    /// One alone, which keeps what it knows as long as the machine runs.
    pub(super) fn etcd(&self) -> Command {
        let [clients, peers] = [self.etcd, self.etcd_peers].map(|port| format!("http://{}", self.at(port)));
        let mut etcd = as_server_user(ETCD);
        etcd.args(["--name", "etcd"]).arg("--data-dir").arg(self.folder.join("etcd"));
        etcd.args(["--listen-client-urls", &clients, "--advertise-client-urls", &clients]);
        etcd.args(["--listen-peer-urls", &peers, "--initial-advertise-peer-urls", &peers]);
        etcd.args(["--initial-cluster", &format!("etcd={peers}"), "--unsafe-no-fsync", "--enable-v2"]);
        etcd.args(["--logger", "zap", "--log-level", "error"]);
        etcd
    }

    /// What keeps a member.
    pub(super) fn patroni(&self, member: Member) -> Command {
        let path = self.folder.join(format!("{}.yml", member.name()));
        // What is JSON is YAML.
        std::fs::write(&path, self.of_member(member).to_string()).expect("a file of ours");
        let mut patroni = as_server_user(PATRONI);
        patroni.arg(path);
        patroni
    }

    /// A primary that loses its only standby goes on without one. That standby may not take over any more, until it has caught up
    /// and is synchronous again; Patroni writes so in etcd first.
    fn of_member(&self, member: Member) -> Value {
        let (server, keeper) = (self.at(self.servers[member as usize]), self.at(self.keepers[member as usize]));
        let in_folder = |name: &str| self.folder.join(name).display().to_string();
        let programs = binary("postgres").parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        json!({
            "scope": "ledger",
            "name": member.name(),
            "restapi": {"listen": keeper, "connect_address": keeper},
            // By the interface without a cache: of a Patroni that was frozen, that of version 3 is now and then stale for good.
            "etcd": {"hosts": [self.at(self.etcd)]},
            "watchdog": {"mode": "off"},
            "bootstrap": {
                "dcs": {
                    "ttl": LEASE_S,
                    "loop_wait": LOOK_EVERY_S,
                    "retry_timeout": TRY_FOR_S,
                    "maximum_lag_on_failover": 1_048_576,
                    "synchronous_mode": true,
                    "postgresql": {
                        "use_pg_rewind": true,
                        "parameters": {"wal_log_hints": true, "wal_keep_size": "128MB", "max_wal_size": "256MB"},
                    },
                },
                "initdb": [{"auth": "trust"}, {"encoding": "UTF8"}, {"locale": "C"}, "no-sync"],
            },
            "postgresql": {
                "listen": server,
                "connect_address": server,
                "data_dir": in_folder(member.name()),
                "bin_dir": programs,
                "pgpass": in_folder(&format!("{}.pgpass", member.name())),
                "authentication": {
                    "superuser": {"username": USER},
                    "replication": {"username": "copies"},
                    "rewind": {"username": "rewinds"},
                },
                "pg_hba": [
                    "local all all trust",
                    "host all all 127.0.0.0/8 trust",
                    "host replication all 127.0.0.0/8 trust",
                ],
                "basebackup": ["no-sync", {"checkpoint": "fast"}],
                // Where it cannot go back to where both were the same, it begins with a copy.
                "remove_data_directory_on_rewind_failure": true,
                "remove_data_directory_on_diverged_timelines": true,
                // Nobody pulls the plug.
                "parameters": {"fsync": "off", "unix_socket_directories": ""},
            },
        })
    }

    /// What leads to the primary: it asks Patroni again and again which member that is, and hangs up on whoever is with the other.
    pub(super) fn haproxy(&self) -> Command {
        let path = self.folder.join("haproxy.cfg");
        let members = Member::BOTH.map(|member| {
            let (server, keeper) = (self.at(self.servers[member as usize]), self.keepers[member as usize]);
            format!("    server {} {server} check port {keeper}\n", member.name())
        });
        let text = format!(
            "global\n    maxconn 1000\n    nbthread 1\n\
             defaults\n    mode tcp\n    retries 0\n    timeout connect 1s\n    timeout check 2s\n    timeout client 1h\n    \
             timeout server 1h\n\
             listen primary\n    bind {}\n    option httpchk OPTIONS /primary\n    http-check expect status 200\n    \
             default-server inter 300ms fastinter 200ms downinter 300ms fall 2 rise 1 on-marked-down shutdown-sessions\n{}",
            self.at(self.front),
            members.concat(),
        );
        std::fs::write(&path, text).expect("a file of ours");
        let mut haproxy = as_server_user(HAPROXY);
        haproxy.arg("-db").arg("-f").arg(path);
        haproxy
    }
}
