//! What can be wrong with a request, in the form in which the page shows it.

use std::fmt;
use tmu_problem::{Place, Problem, Problems, RuleCode};

/// Declares the rules of the page: code, status of HTTP, title and explanation of each.
macro_rules! rules {
    ($( $name:ident = $code:literal, $status:literal, $title:literal, $explanation:literal; )*) => {
        /// A rule that `view` checks. Codes keep their number and meaning for ever.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Rule {
            $( #[doc = $title] $name, )*
        }

        impl Rule {
            /// Every rule, by rising code.
            pub const ALL: &'static [Rule] = &[$( Rule::$name ),*];

            /// The status of an HTTP answer that says so.
            pub(crate) fn status(self) -> u16 {
                match self { $( Rule::$name => $status, )* }
            }

            /// What breaks the rule, in a few words.
            pub fn title(self) -> &'static str {
                match self { $( Rule::$name => $title, )* }
            }

            /// What the rule says and why, in a paragraph.
            pub fn explanation(self) -> &'static str {
                match self { $( Rule::$name => $explanation, )* }
            }
        }

        impl RuleCode for Rule {
            fn code(self) -> &'static str {
                match self { $( Rule::$name => $code, )* }
            }
        }
    };
}

rules! {
    Address = "E0401", 500, "the page is for this machine alone",
        "`view` listens on 127.0.0.1 or ::1 only. There is no password on the page, so it is not offered to other machines. \
         To see it from another one, forward the port, as with `ssh -L 8080:127.0.0.1:8080`.";
    Listen = "E0402", 500, "the server cannot listen",
        "The port is taken or may not be used. --port 0, the default, takes one that is free.";
    Foreign = "E0403", 403, "the request comes from another site",
        "A request must name this machine (127.0.0.1, ::1 or localhost) as its host, and if it says where it comes from, \
         that must be the page itself. So no other page in the same browser can reach the server, whatever its name \
         resolves to.";
    Request = "E0404", 400, "the request is not one that the page makes",
        "The server answers a few paths, each with one method, and takes settings as one JSON object with the keys that the \
         page sends. A body must arrive complete and in time.";
    Setting = "E0405", 422, "a setting is out of its range",
        "Choices must be one of the names that exist, and numbers must lie within limits that keep the frame within time and \
         memory.";
    UploadSize = "E0406", 413, "the file is too large",
        "A file that is loaded into the page is kept in memory while it is decoded, so its size is limited; --max-upload-mib \
         sets the limit.";
    FileName = "E0407", 422, "the file's name cannot be used",
        "The name of a picture is its last part alone, without folders, and at most 255 bytes of text. It is shown, tells \
         TGA files from others, and stands in the scene file that the page offers; nothing is written under it.";
    Busy = "E0408", 409, "the hardware is still drawing",
        "The hardware in simulation draws one frame at a time.";
    NoFrame = "E0409", 404, "the hardware has drawn nothing yet",
        "A frame of the hardware can be fetched once one has been drawn.";
    Internal = "E0410", 500, "the server failed",
        "Whatever the page sends is answered with a frame or with what is wrong. Anything else is a fault of tmugen.";
}

/// Status of answers to requests that are well formed but ask for what there is not.
const UNPROCESSABLE: u16 = 422;

/// Why a request is not answered with what it asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Status of HTTP.
    pub(crate) status: u16,
    /// What is wrong, at least one thing.
    pub problems: Vec<Problem>,
}

impl Refusal {
    /// A single problem.
    pub(crate) fn new(rule: Rule, message: impl Into<String>, help: impl Into<String>) -> Self {
        Refusal { status: rule.status(), problems: vec![Problem::new(rule, message, help)] }
    }

    /// Wrong input, with everything that is wrong about it.
    pub fn input(problems: Vec<Problem>) -> Self {
        Refusal { status: UNPROCESSABLE, problems }
    }

    /// A fault of the program.
    pub(crate) fn internal(what: impl fmt::Display) -> Self {
        let help = "report this together with what was chosen on the page";
        Refusal::new(Rule::Internal, format!("the server failed: {what}"), help)
    }
}

/// Of a file the page knows the name alone, which stands in the message then. The lines of a scene are of a text that
/// the page has not shown.
impl From<Problems> for Refusal {
    fn from(problems: Problems) -> Self {
        let named = |problem: Problem| match &problem.place.file {
            None => problem,
            Some(file) => {
                let message = format!("{}: {}", file.display(), problem.message);
                Problem { message, place: Place::default(), ..problem }
            }
        };
        Refusal::input(problems.into_iter().map(named).collect())
    }
}
