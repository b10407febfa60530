//! The server: loopback only, HTTP/1.1 by hyper.
//!
//! Contract: never more than [`MAX_CONNECTIONS`] connections, [`MAX_HEADER_BYTES`] of headers and one body within its limit
//! each; heads and bodies have to arrive in time, and who is slow makes room for others (`visitors`). A body that is too long is read to its end but not kept, since a browser
//! does not look at an answer before it has sent everything. A request that makes its handler panic is answered, and the
//! server goes on.

use crate::answer::{Answer, SAFE_HEADERS};
use crate::problem::{Refusal, Rule};
use crate::routes::Route;
use crate::settings::RELOAD;
use crate::site::{Shown, Site};
use crate::visitors::{Place, Visitors};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;

/// Connections at a time.
const MAX_CONNECTIONS: usize = 64;

/// Bytes of a request's head.
const MAX_HEADER_BYTES: usize = 32 << 10;

/// Headers of a request.
const MAX_HEADERS: usize = 100;

/// Frames that are drawn at a time.
const MAX_DRAWING_THREADS: usize = 4;

/// Time in which a head arrives; also the longest that an idle connection is kept.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// Time in which a body arrives.
const BODY_TIME: Duration = Duration::from_secs(60);

/// A server that has its port and waits to be run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    site: Arc<dyn Shown>,
}

impl Server {
    /// Takes a port of this machine; 0 is one that is free.
    ///
    /// # Errors
    /// [`Rule::Address`] for any address but 127.0.0.1 and ::1, [`Rule::Listen`] if the port cannot be had.
    pub fn bind(address: IpAddr, port: u16, site: impl Into<Site>) -> Result<Self, Refusal> {
        if ![IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()].contains(&address) {
            let message = format!("{address} can be reached from other machines, or is not of this one");
            return Err(Refusal::new(Rule::Address, message, "use --address 127.0.0.1 or --address ::1"));
        }
        let listen = || {
            let listener = TcpListener::bind((address, port))?;
            listener.set_nonblocking(true)?;
            Ok((listener.local_addr()?, listener))
        };
        let (address, listener) = listen().map_err(|error: io::Error| {
            let message = format!("port {port} of {address} cannot be listened on: {error}");
            Refusal::new(Rule::Listen, message, "leave out --port to take one that is free")
        })?;
        Ok(Server { listener, address, site: site.into().0 })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers until `stop` is done. What is being drawn then is left.
    ///
    /// # Errors
    /// If the system gives no threads or no connections.
    pub fn run(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime =
            runtime.worker_threads(2).max_blocking_threads(MAX_DRAWING_THREADS).enable_all().build()?;
        let outcome = runtime.block_on(accept(self.listener, self.site, stop));
        runtime.shutdown_background();
        outcome
    }
}

async fn accept(
    listener: TcpListener,
    site: Arc<dyn Shown>,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let visitors = Visitors::new(MAX_CONNECTIONS);
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => return Ok(()),
            accepted = listener.accept() => accepted,
        };
        // A connection that breaks off while it is accepted is the visitor's affair; a lack of handles passes.
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        tokio::select! {
            () = &mut stop => return Ok(()),
            () = visitors.make_room() => {}
        }
        visitors.welcome(|place| {
            let site = Arc::clone(&site);
            tokio::spawn(connection(site, stream, place)).abort_handle()
        });
    }
}

/// Serves one connection.
async fn connection(site: Arc<dyn Shown>, stream: TcpStream, place: Arc<Place>) {
    let service = service_fn(|request| serve(Arc::clone(&site), request, Arc::clone(&place)));
    let mut connection = http1::Builder::new();
    connection.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    connection.max_buf_size(MAX_HEADER_BYTES).max_headers(MAX_HEADERS);
    // Who has asked may stop speaking and still wait for the answer.
    connection.half_close(true);
    // How a connection ends, by a broken head or in the middle of a body, is the visitor's affair too.
    let _ = connection.serve_connection(TokioIo::new(stream), service).await;
}

async fn serve(
    site: Arc<dyn Shown>,
    request: Request<Incoming>,
    place: Arc<Place>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (status, answer) = match answer(site, request, &place).await {
        Ok(answer) => (StatusCode::OK, answer),
        Err(refusal) => {
            let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            (status, Answer::refusal(&refusal))
        }
    };
    let mut response = Response::new(Full::new(answer.body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(answer.kind));
    for (name, value) in SAFE_HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    Ok(response)
}

async fn answer(site: Arc<dyn Shown>, request: Request<Incoming>, place: &Place) -> Result<Answer, Refusal> {
    let (head, body) = request.into_parts();
    let route = Route::of(&head.method, &head.uri, &head.headers)?;
    let (limit, too_long) = route.body_limit(&*site);
    let body = tokio::time::timeout(BODY_TIME, read(body, limit)).await;
    let body = match body {
        Ok(Ok(Some(body))) => body,
        Ok(Ok(None)) => return Err(too_long),
        Ok(Err(error)) => return Err(incomplete(&error.to_string())),
        Err(_) => return Err(incomplete("it takes too long")),
    };
    // Drawing is work for a thread of its own, so that others are answered meanwhile.
    place.begin_answer();
    let drawn = tokio::task::spawn_blocking(move || route.answer(&*site, &body)).await;
    place.end_answer();
    drawn.unwrap_or_else(|error| Err(Refusal::internal(error)))
}

fn incomplete(why: &str) -> Refusal {
    Refusal::new(Rule::Request, format!("the body of the request did not arrive: {why}"), RELOAD)
}

/// A body; none if it is longer than the limit.
async fn read(mut body: Incoming, limit: usize) -> Result<Option<Vec<u8>>, hyper::Error> {
    let announced = body.size_hint().lower().try_into().unwrap_or(usize::MAX);
    let mut is_within = announced <= limit;
    let mut bytes = Vec::with_capacity(if is_within { announced } else { 0 });
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else { continue };
        is_within &= bytes.len() + data.len() <= limit;
        if is_within {
            bytes.extend_from_slice(&data);
        } else {
            bytes = Vec::new();
        }
    }
    Ok(is_within.then_some(bytes))
}
