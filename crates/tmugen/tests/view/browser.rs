//! Chromium without a window, driven by its DevTools protocol.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tmu_verilate::Tools;
use tungstenite::{Message, WebSocket};

/// The longest that anything on the page may take; building a simulation on a busy machine takes minutes.
const PATIENCE: Duration = Duration::from_secs(400);

/// Time between two looks at the page.
const LOOK_AGAIN: Duration = Duration::from_millis(30);

const SWITCHES: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
];

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    socket: WebSocket<TcpStream>,
    session: Option<String>,
    sent: u64,
    /// What went wrong in the page's script.
    faults: Vec<String>,
    _profile: TempDir,
}

impl Browser {
    /// Starts Chromium; none where it is not installed, which a test of `tmu-package` reports.
    pub(crate) fn start() -> Option<Self> {
        let chromium = Tools::chromium().ok()?;
        let profile = tempfile::tempdir().unwrap();
        let mut process = Command::new(&chromium.program)
            .args(SWITCHES)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let address = lines
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned))
            .expect("Chromium says where its tools listen");
        let host = address.trim_start_matches("ws://").split('/').next().unwrap();
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(address.as_str(), stream).expect("a WebSocket");
        let mut browser =
            Browser { process, socket, session: None, sent: 0, faults: Vec::new(), _profile: profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "DOM"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Calls a method of the protocol.
    pub(crate) fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().expect("the browser answers") else { continue };
            let answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == self.sent {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.note_fault(&answer);
        }
    }

    /// Notes exceptions and what the browser complains of, but not answers of the server that are refusals.
    fn note_fault(&mut self, event: &Value) {
        let entry = &event["params"]["entry"];
        let is_fault = event["method"] == "Runtime.exceptionThrown"
            || (event["method"] == "Log.entryAdded"
                && entry["level"] == "error"
                && entry["source"] != "network");
        if is_fault {
            self.faults.push(event["params"].to_string());
        }
    }

    /// What has gone wrong in the page's script so far.
    pub(crate) fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The value of an expression, which may be a promise.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let parameters = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", parameters);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        let begin = Instant::now();
        while self.evaluate(expression) != true {
            if begin.elapsed() > PATIENCE {
                let text = self.evaluate("document.body.innerText");
                panic!("{expression} did not come true; the page says\n{text}");
            }
            sleep(LOOK_AGAIN);
        }
    }

    /// Opens a page and waits for its script.
    pub(crate) fn open(&mut self, url: &str) {
        self.call("Page.navigate", json!({ "url": url }));
        self.wait_for(&format!("location.href === {url:?} && document.body?.dataset.frames > 0"));
    }

    /// Chooses a file for an element that takes one, as a user does.
    pub(crate) fn choose_file(&mut self, selector: &str, path: &Path) {
        let document = self.call("DOM.getDocument", json!({}));
        let found = json!({ "nodeId": document["root"]["nodeId"], "selector": selector });
        let node = self.call("DOM.querySelector", found)["nodeId"].clone();
        self.call("DOM.setFileInputFiles", json!({ "nodeId": node, "files": [path] }));
    }

    /// The middle of an element, which is brought into view.
    fn middle(&mut self, id: &str) -> [f64; 2] {
        let middle = format!(
            "(() => {{ at({id:?}).scrollIntoView(); const box = at({id:?}).getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        );
        let middle = self.evaluate(&middle);
        [0, 1].map(|axis| middle[axis].as_f64().unwrap())
    }

    /// Drags from the middle of an element.
    pub(crate) fn drag(&mut self, id: &str, [right, down]: [f64; 2]) {
        let [x, y] = self.middle(id);
        let path = [("mousePressed", 0.0), ("mouseMoved", 0.5), ("mouseMoved", 1.0), ("mouseReleased", 1.0)];
        for (kind, part) in path {
            let place = json!({
                "type": kind, "x": x + part * right, "y": y + part * down,
                "button": "left", "buttons": 1, "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", place);
        }
    }

    /// Moves a finger from beside the middle of an element.
    pub(crate) fn swipe(&mut self, id: &str, beside: [f64; 2], [right, down]: [f64; 2]) {
        let [x, y] = self.middle(id);
        let [x, y] = [x + beside[0], y + beside[1]];
        for (kind, part) in [("touchStart", 0.0), ("touchMove", 0.5), ("touchMove", 1.0)] {
            let point = json!({ "x": x + part * right, "y": y + part * down });
            self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": [point] }));
        }
        self.call("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }));
    }

    /// Presses a key on an element.
    pub(crate) fn press(&mut self, id: &str, key: &str) {
        self.press_with(id, key, 0);
    }

    /// Presses a key with Shift.
    pub(crate) fn press_shifted(&mut self, id: &str, key: &str) {
        self.press_with(id, key, 8);
    }

    fn press_with(&mut self, id: &str, key: &str, modifiers: u32) {
        self.evaluate(&format!("at({id:?}).focus()"));
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key, "modifiers": modifiers }));
        }
    }

    /// R, G, B of a canvas, with its sides.
    pub(crate) fn pixels(&mut self, id: &str) -> (Vec<u8>, [u64; 2]) {
        let script = format!(
            "(() => {{ const canvas = at({id:?}); const {{ width, height }} = canvas; \
             const data = canvas.getContext('2d').getImageData(0, 0, width, height).data; let text = ''; \
             for (let at = 0; at < data.length; at += 4) text += String.fromCharCode(data[at], data[at + 1], data[at + 2]); \
             return [btoa(text), width, height]; }})()"
        );
        let found = self.evaluate(&script);
        let rgb = STANDARD.decode(found[0].as_str().unwrap()).unwrap();
        (rgb, [1, 2].map(|side| found[side].as_u64().unwrap()))
    }

    /// The page as a device of this width shows it, as PNG; all of it, however long.
    pub(crate) fn screenshot(&mut self, width: u32, scheme: &str) -> Vec<u8> {
        let metrics = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", features);
        let picture = json!({ "format": "png", "captureBeyondViewport": true });
        let taken = self.call("Page.captureScreenshot", picture);
        STANDARD.decode(taken["data"].as_str().unwrap()).unwrap()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.socket.send(Message::text(json!({ "id": 0, "method": "Browser.close" }).to_string()));
        let begin = Instant::now();
        while matches!(self.process.try_wait(), Ok(None)) {
            if begin.elapsed() > Duration::from_secs(10) {
                let _ = self.process.kill();
                let _ = self.process.wait();
                return;
            }
            sleep(LOOK_AGAIN);
        }
    }
}
