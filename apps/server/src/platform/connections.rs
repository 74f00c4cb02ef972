//! Open connections: how many there may be, and who makes room.
//!
//! # Guarantees
//! A client without a session cannot keep the user out: there are at most [`MAX_CONNECTIONS`] connections, and when all are taken the oldest of
//! those that never showed a cookie of ours is closed for the one that comes. A client that does not send a whole head of a request in
//! time is closed, too. Connections that showed a cookie stay.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// Connections at a time: fewer than the files that systems let a process have open.
const MAX_CONNECTIONS: usize = 256;
/// How long to wait before the next try where a connection could not be taken, for want of files perhaps.
const BETWEEN_TRIES: Duration = Duration::from_millis(200);

/// The client at the other end of a connection; an extension of every request.
#[derive(Debug, Default)]
pub struct Peer {
    known: AtomicBool,
    leave: Notify,
}

impl Peer {
    /// The client has shown that it has a session.
    pub fn is_known(&self) {
        self.known.store(true, Ordering::Relaxed);
    }
}

/// The connections that are open, the oldest first.
#[derive(Debug, Default)]
struct Connections {
    peers: Mutex<Vec<Arc<Peer>>>,
}

impl Connections {
    /// A place for one more; `None` where all are taken by those who may.
    fn enter(&self) -> Option<Arc<Peer>> {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        if peers.len() >= MAX_CONNECTIONS {
            let stranger = peers.iter().position(|peer| !peer.known.load(Ordering::Relaxed))?;
            peers.remove(stranger).leave.notify_one();
        }
        let peer = Arc::new(Peer::default());
        peers.push(Arc::clone(&peer));
        Some(peer)
    }

    fn leave(&self, peer: &Arc<Peer>) {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        peers.retain(|other| !Arc::ptr_eq(other, peer));
    }
}

/// Takes connections and answers them, for ever. `patience` is how long the head of a request may take.
pub async fn answer(listener: TcpListener, app: Router, patience: Duration) {
    let connections = Arc::new(Connections::default());
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                if !is_of_client(&error) {
                    tracing::warn!(kind = %error.kind(), "no connection can be taken");
                    tokio::time::sleep(BETWEEN_TRIES).await;
                }
                continue;
            }
        };
        let Some(peer) = connections.enter() else {
            tracing::warn!(most = MAX_CONNECTIONS, "too many connections");
            continue;
        };
        let (connections, app) = (Arc::clone(&connections), app.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = talk(stream, app, Arc::clone(&peer), patience) => {}
                () = peer.leave.notified() => tracing::warn!("a stranger's connection made room"),
            }
            connections.leave(&peer);
        });
    }
}

/// Answers one connection to its end. How it ends is the client's affair.
async fn talk(stream: TcpStream, app: Router, peer: Arc<Peer>, patience: Duration) {
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Arc::clone(&peer));
        TowerToHyperService::new(app.clone()).call(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience);
    let _ = builder.serve_connection(TokioIo::new(stream), service).await;
}

/// Whether a connection was gone before it could be taken.
fn is_of_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_make_room_and_those_who_may_stay() {
        let connections = Connections::default();
        let owner = connections.enter().unwrap();
        owner.is_known();
        let held: Vec<Arc<Peer>> = (0..3 * MAX_CONNECTIONS).map(|_| connections.enter().unwrap()).collect();
        let open = || connections.peers.lock().unwrap().clone();
        assert_eq!(open().len(), MAX_CONNECTIONS);
        assert!(Arc::ptr_eq(&open()[0], &owner));
        assert!(Arc::ptr_eq(open().last().unwrap(), held.last().unwrap()));
        open().iter().for_each(|peer| peer.is_known());
        assert!(connections.enter().is_none());
        connections.leave(&owner);
        assert!(connections.enter().is_some());
    }
}
