//! Answers to requests: a body with its type.
//!
//! Frames are bytes: the length of a JSON object in four bytes, lowest first, the object, then R, G, B of one picture and
//! those of the other, or four bytes for each of its pixels. What is wrong is always a JSON object with `problems`.

use crate::problem::Refusal;
use hyper::body::Bytes;
use serde_json::{Value, json};
use tmu_problem::Problem;

/// What the page is served with: nothing from elsewhere, and in no other page.
pub(crate) const SAFE_HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// A body with its type.
pub(crate) struct Answer {
    pub(crate) kind: &'static str,
    pub(crate) body: Bytes,
}

/// A problem as the page shows it.
pub(crate) fn shown(problem: &Problem) -> Value {
    json!({ "code": problem.code, "message": problem.statement(), "help": problem.help })
}

impl Answer {
    pub(crate) fn json(value: &Value) -> Self {
        Answer { kind: "application/json", body: value.to_string().into() }
    }

    /// What is wrong.
    pub(crate) fn refusal(refusal: &Refusal) -> Self {
        let problems: Vec<_> = refusal.problems.iter().map(shown).collect();
        Answer::json(&json!({ "problems": problems }))
    }

    pub(crate) fn frame(data: &Value, pictures: [&[u8]; 2]) -> Self {
        let data = data.to_string();
        let length = (data.len() as u32).to_le_bytes();
        Answer {
            kind: "application/octet-stream",
            body: [&length, data.as_bytes(), pictures[0], pictures[1]].concat().into(),
        }
    }
}
