//! The reference: the least that a reverse proxy on the same libraries can do. axum in, hyper-util's pooled client out,
//! bodies passed as they come.

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use http::uri::{Authority, Scheme};
use http::{StatusCode, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use tokio::net::TcpListener;

use crate::Failed;

/// The server behind a proxy, and a pool of connections to it.
#[derive(Clone)]
pub(crate) struct Upstream {
    client: Client<HttpConnector, Body>,
    authority: Authority,
}

/// Serves until the process is killed; prints its address first.
pub(crate) async fn serve(target: &str) -> Result<(), Failed> {
    let pass = |State(upstream): State<Upstream>, request: Request| async move { upstream.pass(request).await };
    listen(Router::new().fallback(any(pass)).with_state(Upstream::new(target)?)).await
}

/// Serves a router on a port that is free.
pub(crate) async fn listen(router: Router) -> Result<(), Failed> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    Ok(axum::serve(tap_nodelay(listener), router).await?)
}

impl Upstream {
    pub(crate) fn new(target: &str) -> Result<Self, Failed> {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Ok(Self { client, authority: target.parse()? })
    }

    /// Passes a request on; gives the answer back as it comes.
    pub(crate) async fn pass(self, mut request: Request) -> Response {
        let mut parts = std::mem::take(request.uri_mut()).into_parts();
        parts.scheme = Some(Scheme::HTTP);
        parts.authority = Some(self.authority);
        *request.uri_mut() = Uri::from_parts(parts).expect("a path, a scheme and an authority make an address");
        request.headers_mut().remove(http::header::HOST);
        match self.client.request(request).await {
            Ok(response) => response.into_response(),
            Err(_) => StatusCode::BAD_GATEWAY.into_response(),
        }
    }
}

/// Replies are written whole; waiting for more to send would only delay them.
fn tap_nodelay(
    listener: TcpListener,
) -> impl axum::serve::Listener<Io = tokio::net::TcpStream, Addr = std::net::SocketAddr> {
    use axum::serve::ListenerExt;
    listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    })
}
