//! The network on loopback: sockets, the clock, and nothing else.

mod socket;

use crate::{
    Nanos,
    config::Config,
    control,
    network::{Answer, Network},
};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::{ConnectInfo, DefaultBodyLimit, State},
    http::{HeaderName, Method, Response, StatusCode, Uri, header},
};
use socket::{Fuse, Listener};
use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener as StdListener},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, SystemTime},
};
use thiserror::Error;
use tokio::{net::TcpListener, sync::oneshot};

/// The network's clock: real time, and how far it was moved ahead.
#[derive(Debug, Default)]
struct Clock {
    ahead: AtomicU64,
}

impl Clock {
    fn now(&self) -> Nanos {
        let real = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let real = Nanos::try_from(real.as_nanos()).unwrap_or(Nanos::MAX);
        real.saturating_add(self.ahead.load(Ordering::SeqCst))
    }

    fn advance(&self, by: Nanos) {
        self.ahead.fetch_add(by, Ordering::SeqCst);
    }
}

/// What the network's and the control interface's requests share.
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) url: String,
    network: Mutex<Network>,
    clock: Clock,
}

impl Shared {
    /// The network, at the time it is now.
    pub(crate) fn network(&self) -> MutexGuard<'_, Network> {
        let mut network = self.network.lock().unwrap_or_else(PoisonError::into_inner);
        network.pass_time(self.clock.now());
        network
    }

    pub(crate) fn advance(&self, by: Nanos) {
        self.clock.advance(by);
    }
}

/// The network could not be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// A port cannot be had.
    #[error("cannot listen on port {port} of 127.0.0.1: {source}")]
    Listen {
        /// The port.
        port: u16,
        /// Why not.
        source: io::Error,
    },
    /// No thread or runtime.
    #[error("cannot start a runtime: {0}")]
    Runtime(io::Error),
}

/// A local network on loopback.
pub struct Localnet;

impl Localnet {
    /// Starts a network on a thread of its own. It stops when the handle is dropped.
    ///
    /// # Errors
    ///
    /// A port that is taken, or no runtime.
    pub fn start(config: Config) -> Result<Handle, StartError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(StartError::Runtime)?;
        let (network, control) = (listen(config.port)?, listen(config.control_port)?);
        let (url, control_url) = (url_of(&network)?, url_of(&control)?);
        let shared = Arc::new(Shared {
            network: Mutex::new(config.network()),
            clock: Clock::default(),
            url: url.clone(),
            config,
        });
        let (stop, stopped) = oneshot::channel();
        let serve = serve(network, control, Arc::clone(&shared), stopped);
        let thread = thread::Builder::new()
            .name("localnet".into())
            .spawn(move || runtime.block_on(serve))
            .map_err(StartError::Runtime)?;
        let root_key = shared.network().root_key().to_vec();
        Ok(Handle {
            url,
            control_url,
            root_key,
            shared,
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

fn listen(port: u16) -> Result<StdListener, StartError> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listen = || {
        let listener = StdListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    };
    listen().map_err(|source| StartError::Listen { port, source })
}

fn url_of(listener: &StdListener) -> Result<String, StartError> {
    let address = listener.local_addr().map_err(StartError::Runtime)?;
    Ok(format!("http://{address}"))
}

async fn serve(
    network: StdListener,
    control: StdListener,
    shared: Arc<Shared>,
    stopped: oneshot::Receiver<()>,
) {
    const NONBLOCKING: &str = "the listener is nonblocking, and this is inside the runtime";
    let network = TcpListener::from_std(network).expect(NONBLOCKING);
    let control = TcpListener::from_std(control).expect(NONBLOCKING);
    let app = Router::new()
        .fallback(answer)
        .layer(DefaultBodyLimit::max(4 * 1024 * 1024))
        .with_state(Arc::clone(&shared));
    let app = app.into_make_service_with_connect_info::<Fuse>();
    let control_app = control::router(shared).into_make_service();
    tokio::select! {
        _ = async { axum::serve(Listener::new(network), app).await } => {}
        _ = async { axum::serve(control, control_app).await } => {}
        _ = stopped => {}
    }
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(fuse): ConnectInfo<Fuse>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response<Body> {
    if method == Method::OPTIONS {
        return with_headers(StatusCode::NO_CONTENT, "text/plain", Body::empty());
    }
    let now = shared.clock.now();
    let response = {
        let mut network = shared.network();
        network.handle(method.as_str(), uri.path(), &body, now)
    };
    if response.delay > Duration::ZERO {
        tokio::time::sleep(response.delay).await;
    }
    match response.answer {
        Answer::Http {
            status,
            content_type,
            body,
        } => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            with_headers(status, content_type, Body::from(body))
        }
        Answer::Dropped => {
            fuse.blow();
            Response::new(Body::empty())
        }
    }
}

/// Every answer is readable by any page, and ends its connection: a client that keeps connections
/// sends a request again by itself when a kept one is closed, and a fault would be met twice.
fn with_headers(status: StatusCode, content_type: &'static str, body: Body) -> Response<Body> {
    const PRIVATE: HeaderName = HeaderName::from_static("access-control-allow-private-network");
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, content_type)
        .header(header::CONNECTION, "close")
        .header(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")
        .header(header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST")
        .header(header::ACCESS_CONTROL_ALLOW_HEADERS, "content-type, accept")
        .header(PRIVATE, "true")
        .body(body)
        .expect("the headers are well formed")
}

/// A running network. Dropping it stops the network.
pub struct Handle {
    /// Where agents find it.
    pub url: String,
    /// Where tests control it.
    pub control_url: String,
    /// Its root key in DER.
    pub root_key: Vec<u8>,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Handle {
    /// The network itself, at the time it is now. Requests wait while it is held.
    pub fn network(&self) -> MutexGuard<'_, Network> {
        self.shared.network()
    }

    /// The network's time.
    #[must_use]
    pub fn now(&self) -> Nanos {
        self.shared.clock.now()
    }

    /// Moves the network's clock ahead.
    pub fn advance(&self, by: Duration) {
        self.shared
            .advance(Nanos::try_from(by.as_nanos()).unwrap_or(Nanos::MAX));
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
