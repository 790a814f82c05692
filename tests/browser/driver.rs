//! A browser that is told what to do: Chromium with its DevTools protocol over two pipes, so that the mouse and the
//! keys are as real as a person's. A message is JSON, and ends with a zero byte.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::PATIENCE;

/// How often a condition is looked at.
const LOOK: Duration = Duration::from_millis(30);

/// A running browser with one page; killed when dropped.
pub struct Driver {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    sent: u64,
    /// Errors of the page's scripts.
    pub errors: Vec<String>,
}

impl Driver {
    /// A browser with its files in this folder; `None` if it does not do what it should here.
    pub fn start(browser: &Path, folder: &Path) -> Option<Driver> {
        // It reads from descriptor 3 and writes to 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null", "sh"])
            .arg(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
            .args(["--disable-extensions", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", folder.join("driven").display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let (input, output) = (child.stdin.take()?, child.stdout.take()?);
        let (sender, messages) = channel();
        thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { return };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut driver = Driver { child, input, messages, session: None, sent: 0, errors: Vec::new() };
        let target = driver.call("Target.createTarget", json!({ "url": "about:blank" }))?;
        let attached =
            driver.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }))?;
        driver.session = Some(attached["sessionId"].as_str()?.to_owned());
        driver.call("Runtime.enable", json!({}))?;
        Some(driver)
    }

    /// Calls a method of the protocol; `None` if it fails.
    pub fn call(&mut self, method: &str, parameters: Value) -> Option<Value> {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.input.write_all(format!("{message}\0").as_bytes()).ok()?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let mut answer = self.messages.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()?;
            if answer["method"] == "Runtime.exceptionThrown" {
                self.errors.push(answer["params"]["exceptionDetails"].to_string());
            }
            if answer["id"] == self.sent {
                return answer.get_mut("result").map(Value::take);
            }
        }
    }

    /// Opens a page in a window of this size.
    pub fn open(&mut self, url: &str, width: u32, height: u32) {
        self.resize(width, height);
        self.call("Page.navigate", json!({ "url": url })).expect("a page");
    }

    /// Changes the size of the window.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size).expect("a size");
    }

    /// The value of an expression in the page; null if it fails.
    pub fn value(&mut self, expression: &str) -> Value {
        self.evaluated(expression).expect("an answer")
    }

    /// The value of an expression in the page; `None` while another page takes its place.
    fn evaluated(&mut self, expression: &str) -> Option<Value> {
        let what = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut answer = self.call("Runtime.evaluate", what)?;
        Some(answer["result"]["value"].take())
    }

    /// Waits until an expression is true, in this page or in one that takes its place.
    pub fn until(&mut self, expression: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.evaluated(expression) != Some(true.into()) {
            assert!(Instant::now() < deadline, "never true: {expression}; errors: {:?}", self.errors);
            thread::sleep(LOOK);
        }
    }

    /// Does something with the left button at a place in the window: `mousePressed`, `mouseMoved`, `mouseReleased`.
    pub fn mouse(&mut self, what: &str, (x, y): (f64, f64)) {
        let event = json!({ "type": what, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", event).expect("a mouse");
    }

    /// Presses and releases the button in one place.
    pub fn click(&mut self, place: (f64, f64)) {
        self.mouse("mousePressed", place);
        self.mouse("mouseReleased", place);
    }

    /// Presses the button in one place and releases it in another.
    pub fn drag(&mut self, from: (f64, f64), to: (f64, f64)) {
        self.mouse("mousePressed", from);
        self.mouse("mouseMoved", to);
        self.mouse("mouseReleased", to);
    }

    /// A finger comes down in the first of these places, moves over the others, and goes up in the last.
    pub fn touch(&mut self, places: &[(f64, f64)]) {
        let mut what = "touchStart";
        for (x, y) in places {
            self.finger(what, json!([{ "x": x, "y": y }]));
            what = "touchMove";
        }
        self.finger("touchEnd", json!([]));
    }

    /// Does something with a finger, which is then in these places.
    fn finger(&mut self, what: &str, places: Value) {
        self.call("Input.dispatchTouchEvent", json!({ "type": what, "touchPoints": places })).expect("a finger");
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Both fail if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
