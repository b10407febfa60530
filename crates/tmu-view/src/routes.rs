//! Requests of the page, told from all others, and their answers.
//!
//! | request | answer |
//! | --- | --- |
//! | `GET /` | the page |
//! | `GET /options` | what can be chosen, limits, and what is missing for simulation |
//! | `POST /picture?name=N` | takes a picture file; what it is |
//! | `POST /draw` | settings; the golden frame, and the heat map of a texture or what is told of each pixel |
//! | `POST /pixel` | settings and a pixel; what happens there |
//! | `POST /files` | settings; the files of a mesh that draw the same |
//! | `POST /hardware` | settings; begins a frame of the hardware |
//! | `GET /hardware` | how far it is, or what it has shown |
//! | `GET /hardware/frame` | the frame by both engines |
//!
//! What a page shows is the matter of its `site`.

use crate::answer::Answer;
use crate::problem::{Refusal, Rule};
use crate::settings::RELOAD;
use crate::site::Shown;
use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderValue, ORIGIN};
use hyper::{Method, Uri};
use percent_encoding::percent_decode_str;
use serde_json::json;
use std::net::IpAddr;

/// A request that the page can have made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    Page,
    Icon,
    Options,
    Picture { name: String },
    Draw,
    Pixel,
    Files,
    BeginHardware,
    Progress,
    HardwareFrame,
}

impl Route {
    /// Tells what is asked for.
    ///
    /// # Errors
    /// [`Rule::Foreign`] if another site asks, [`Rule::Request`] if there is nothing of that kind.
    pub(crate) fn of(method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<Self, Refusal> {
        check_origin(headers)?;
        let found = match (method.as_str(), uri.path()) {
            ("GET" | "HEAD", "/") => Route::Page,
            ("GET", "/favicon.ico") => Route::Icon,
            ("GET", "/options") => Route::Options,
            ("POST", "/picture") => Route::Picture { name: name_of(uri)? },
            ("POST", "/draw") => Route::Draw,
            ("POST", "/pixel") => Route::Pixel,
            ("POST", "/files") => Route::Files,
            ("POST", "/hardware") => Route::BeginHardware,
            ("GET", "/hardware") => Route::Progress,
            ("GET", "/hardware/frame") => Route::HardwareFrame,
            (method, path) => {
                let message = format!("there is no {method} of {path:?} here");
                return Err(Refusal::new(Rule::Request, message, "open the address without a path"));
            }
        };
        Ok(found)
    }

    /// Bytes that the body may have, and what to say of one that is longer.
    pub(crate) fn body_limit(&self, site: &dyn Shown) -> (usize, Refusal) {
        if let Route::Picture { .. } = self {
            let most = site.upload_bytes();
            let message = format!("the file has more than {most} bytes, the most that is taken");
            let help = "save the picture smaller, or start tmugen view with a larger --max-upload-mib";
            return (most, Refusal::new(Rule::UploadSize, message, help));
        }
        let most = site.settings_bytes();
        let message = format!("the body of the request is longer than {most} bytes");
        (most, Refusal::new(Rule::Request, message, RELOAD))
    }

    /// Does what is asked for.
    ///
    /// # Errors
    /// What is wrong with the body.
    pub(crate) fn answer(&self, site: &dyn Shown, body: &[u8]) -> Result<Answer, Refusal> {
        match self {
            Route::Page => Ok(Answer { kind: "text/html; charset=utf-8", body: site.page().into() }),
            Route::Icon => Ok(Answer { kind: "image/x-icon", body: Bytes::new() }),
            Route::Options => Ok(Answer::json(&site.options())),
            Route::Picture { name } => Ok(Answer::json(&site.load(name, body)?)),
            Route::Draw => site.draw(body),
            Route::Pixel => Ok(Answer::json(&site.pixel(body)?)),
            Route::Files => Ok(Answer::json(&site.files(body)?)),
            Route::BeginHardware => Ok(Answer::json(&json!({ "number": site.begin_hardware(body)? }))),
            Route::Progress => Ok(Answer::json(&site.jobs().progress()?)),
            Route::HardwareFrame => site.jobs().hardware_frame(),
        }
    }
}

/// Refuses what does not come from the page: another name for this machine, which is how a page from elsewhere gets past
/// the browser's walls, and another origin.
fn check_origin(headers: &HeaderMap) -> Result<(), Refusal> {
    let host = headers.get(hyper::header::HOST).and_then(|host| host.to_str().ok());
    let foreign = |message: String| {
        let help = "open the page by the address that tmugen view has printed";
        Err(Refusal::new(Rule::Foreign, message, help))
    };
    match host {
        Some(host) if is_own(host) => {}
        Some(host) => return foreign(format!("the request is for the host {host:?}, not for this machine")),
        None => return foreign("the request does not say which host it is for".to_owned()),
    }
    let origin = headers.get(ORIGIN).map(HeaderValue::as_bytes);
    let own = format!("http://{}", host.unwrap_or_default());
    match origin {
        Some(origin) if origin != own.as_bytes() => {
            foreign(format!("the request comes from {:?}", String::from_utf8_lossy(origin)))
        }
        _ => Ok(()),
    }
}

/// Whether a host, with or without a port, is this machine by a name that nobody else can give it.
fn is_own(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost")
        || address.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// `name` in the query of an upload.
fn name_of(uri: &Uri) -> Result<String, Refusal> {
    let coded = uri.query().and_then(|query| query.strip_prefix("name=")).unwrap_or_default();
    let decoded = percent_decode_str(coded).decode_utf8();
    decoded.map(Into::into).map_err(|_| {
        Refusal::new(Rule::FileName, format!("the name {coded:?} is not UTF-8"), "give the file another name")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route(
        method: &str,
        uri: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Route, (u16, &'static str)> {
        let headers =
            headers.iter().map(|(name, value)| ((*name).try_into().unwrap(), value.parse().unwrap()));
        Route::of(&method.parse().unwrap(), &uri.parse().unwrap(), &headers.collect())
            .map_err(|refusal| (refusal.status, refusal.problems[0].code))
    }

    #[test]
    fn only_this_machine_by_its_own_names_is_answered() {
        for host in ["127.0.0.1", "127.0.0.1:8080", "localhost:1", "LOCALHOST", "[::1]:80", "[::1]"] {
            assert_eq!(route("GET", "/", &[("host", host)]), Ok(Route::Page), "{host}");
        }
        for host in
            ["example.org", "127.0.0.1.example.org", "10.0.0.1:80", "localhost.example:80", "", "::", "a:b:c"]
        {
            assert_eq!(route("GET", "/", &[("host", host)]), Err((403, "E0403")), "{host}");
        }
        assert_eq!(route("GET", "/", &[]), Err((403, "E0403")));
        let from = |origin| route("POST", "/draw", &[("host", "localhost:7"), ("origin", origin)]);
        assert_eq!(from("http://localhost:7"), Ok(Route::Draw));
        for origin in ["http://localhost:8", "https://localhost:7", "http://example.org", "null"] {
            assert_eq!(from(origin), Err((403, "E0403")), "{origin}");
        }
    }

    #[test]
    fn paths_and_methods_that_there_are_not_are_refused() {
        let of = |method, uri| route(method, uri, &[("host", "localhost")]);
        let name = "näme +1.png".to_owned();
        assert_eq!(of("POST", "/picture?name=n%C3%A4me%20+1.png"), Ok(Route::Picture { name }));
        assert_eq!(of("POST", "/picture?name=%ff"), Err((422, "E0407")));
        for (method, uri) in [
            ("GET", "/draw"),
            ("PUT", "/draw"),
            ("POST", "/"),
            ("GET", "/../etc/passwd"),
            ("DELETE", "/picture"),
            ("X", "/"),
        ] {
            assert_eq!(of(method, uri), Err((400, "E0404")), "{method} {uri}");
        }
    }
}
