//! What a user can have wrong at the command line itself, and how the program ends then.
//!
//! Codes of configurations come from `tmu-spec` (E0001 …), those of pictures and texture files from `tmu-assets`
//! (E0101 …), those of scenes from `tmu-scene` (E0301 …), those of the live view from `tmu-view` (E0401 …), those of
//! pixel shaders from `tmu-shader` (E0501 …); those of the command line itself stand here (E0201 …). What the toolkit refuses about hardware has codes of `tmu-hdl` (H001 …).
//! `tmugen explain` knows all of them.

use std::path::Path;
use tmu_problem::{Problem, Problems, RuleCode};

/// How the program ends. The numbers are part of the contract with scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// Everything asked for was done.
    Success = 0,
    /// Something in a file or a value is wrong; the messages say what, all at once. Nothing was written.
    Input = 1,
    /// The command line itself is wrong.
    Usage = 2,
    /// This build or this machine lacks what was asked for.
    Missing = 3,
    /// A file could not be written. What stood there before is still there.
    Output = 4,
    /// A fault of the program itself.
    Internal = 5,
}

impl Exit {
    /// Every code, ascending.
    pub const ALL: [Exit; 6] =
        [Exit::Success, Exit::Input, Exit::Usage, Exit::Missing, Exit::Output, Exit::Internal];

    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The mistakes and faults that end like this: one kind of mistake has one code, whatever the command.
    pub fn mistakes(self) -> &'static [&'static str] {
        match self {
            Exit::Success => &[],
            Exit::Input => &[
                "an input file that is missing or cannot be read",
                "a file whose contents are wrong, damaged or not what the command reads",
                "a value that does not fit a file: a level that the texture does not have, a filter that the \
                 configuration does not build",
                "an output that is there already and is replaced only with --force",
                "files that do not hold all that is asked for: results of some shards only, outdated hardware",
            ],
            Exit::Usage => &[
                "an option, a command or a value that is wrong whatever the files hold",
                "the name of an output that does not fit what goes into it",
                "an output that is also an input of the run, or another of its outputs",
            ],
            Exit::Missing => {
                &["a tool that is not installed", "a command that was left out when tmugen was compiled"]
            }
            Exit::Output => &[
                "an output that cannot be written: no such folder, no room, no permission",
                "a cache of compiled models that cannot be used",
            ],
            Exit::Internal => &["hardware that breaks a rule in simulation", "anything that cannot happen"],
        }
    }

    /// What the number means, for the help.
    pub fn meaning(self) -> &'static str {
        match self {
            Exit::Success => "done",
            Exit::Input => "a file or value is wrong; nothing was written",
            Exit::Usage => "the command line is wrong",
            Exit::Missing => "not in this build, or a tool is missing",
            Exit::Output => "a file could not be written; what stood there is unchanged",
            Exit::Internal => "a fault of tmugen itself; please report it",
        }
    }
}

/// Declares the rules of the command line: code, exit code, title and explanation of each.
macro_rules! rules {
    ($( $name:ident = $code:literal, $exit:ident, $title:literal, $explanation:literal; )*) => {
        /// A rule that the command line itself checks. Codes keep their number and meaning for ever.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Rule {
            $( #[doc = $title] $name, )*
        }

        impl Rule {
            /// Every rule, by rising code.
            pub const ALL: &'static [Rule] = &[$( Rule::$name ),*];

            /// How a command that breaks the rule ends.
            pub fn exit(self) -> Exit {
                match self { $( Rule::$name => Exit::$exit, )* }
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
    Usage = "E0200", Usage, "the command line is wrong",
        "An option or a command that there is not, a value out of its range, an argument that is missing. The message \
         names all wrong entries of a list. `tmugen COMMAND --help` shows what the command takes.";
    Read = "E0201", Input, "the file cannot be read",
        "A configuration or a list of quads must exist, be readable and be text in UTF-8. A configuration is at most 1 \
         MiB long. Editors that write UTF-16 or Latin-1 can be told to save as UTF-8.";
    QuadHeader = "E0202", Input, "the header of the quads is not the expected one",
        "The first line of a list of quads is u0,v0,u1,v1,u2,v2,u3,v3,valid. It is checked so that columns in another \
         order are not sampled as if they were in this one.";
    QuadFields = "E0203", Input, "a row of quads has too few or too many fields",
        "Every row of a list of quads has nine fields, one for each column of the header. Empty lines are passed over.";
    QuadValue = "E0204", Input, "a field of a quad is not a number of its range",
        "Coordinates are s16.16 numbers written as decimal integers, so 65536 is the full extent of the texture and the \
         range is -2147483648 to 2147483647. The last field holds the four valid bits as a number of 0 to 15; bit i \
         stands for pixel i.";
    NotBuilt = "E0205", Input, "the configuration does not build what is asked for",
        "A configuration lists the formats and address modes, the largest size, and whether bilinear filtering and \
         mipmapping are built. Hardware made from it refuses a binding that asks for more, so the command line does too. \
         Change [texture] in the configuration, or ask for less.";
    MaxLod = "E0206", Input, "max-lod is over the texture's last level",
        "A texture has levels 0 to max(width_log2, height_log2), the last of which is 1 x 1. The level chosen for a quad \
         is limited to max-lod, which must be one of those levels.";
    OutputName = "E0207", Usage, "the name of the output does not fit",
        "`pack` writes two files, NAME.bin and NAME.toml, and takes NAME.bin (or NAME alone) for both. `render \
         --record-quads` writes NAME.csv, and NAME.toml and NAME.bin beside it. The name of a picture ends in .png, .jpg, \
         .jpeg, .tga or .bmp, which says of what kind it is.";
    OutputExists = "E0208", Input, "the output is there already",
        "`new` starts a file that is meant to be edited, so it does not overwrite one unless told to with --force.";
    Write = "E0209", Output, "the output cannot be written",
        "Output is written to a temporary file in the same folder and renamed when it is complete, so the folder must \
         exist and be writable. If that fails, what stood there before is unchanged.";
    Tool = "E0210", Missing, "a tool that simulation or synthesis needs is not installed",
        "`--engine rtl` and `tmugen sim` compile the emitted Verilog with Verilator and a C++ compiler, and `estimate` needs \
         Yosys. Everything else works without them; `--engine golden` gives the same samples, bit for bit. `tmugen \
         doctor` shows which tools are there.";
    UnknownCode = "E0211", Usage, "there is no such code",
        "`tmugen explain` without a code lists all codes.";
    Engine = "E0212", Internal, "the engine broke",
        "What samples the quads gave up on a scene that was found to be good. That is a fault of tmugen, not of the \
         scene.";
    OutOfDate = "E0213", Input, "a generated file is not what would be written now",
        "`generate --check` compares every file in the folder with what this version writes for the configuration, and \
         also reports files that an earlier version wrote and this one does not. Files beside them are not looked at.";
    Simulation = "E0214", Internal, "the hardware in simulation broke a rule",
        "A result is not the golden model's, a rule of a bus is broken, memory is read that nothing needs, or nothing \
         moves any more. The message names unit, quad, pixel and stage; the run is repeated exactly by its seed.";
    Design = "E0215", Internal, "the hardware does not pass the design checks",
        "Every design is checked before it is written: widths, drivers, latches, loops, clock crossings. A legal \
         configuration passes, so this is a fault of tmugen.";
    Difference = "E0216", Internal, "the two engines draw different pictures",
        "The hardware in simulation gives what the golden model gives, to the last bit, so a picture drawn by one is the \
         picture drawn by the other. `render --compare` writes where they differ; both pictures are left for looking at.";
    Keyword = "E0217", Input, "a name is a keyword of Verilog",
        "`name` becomes the name of the top module, so it cannot be a keyword of Verilog-2005 or SystemVerilog, such as \
         `small`, `table` or `bit`. Choose another name.";
    TooFewQuads = "E0218", Input, "there are too few quads to time",
        "`bench` and `explore` time a unit while it is busy, so a list of quads needs 64 of them with a valid pixel for \
         each unit. A list of a few thousand quads gives steady figures.";
    Plot = "E0219", Internal, "a plot cannot be drawn",
        "Plots are drawn from figures that were measured, so this is a fault of tmugen.";
    Sweep = "E0220", Usage, "the sweep cannot be made",
        "`explore` combines every value of every --vary. Each key stands once, at least one combination must be a legal \
         configuration, and there are at most a million of them.";
    ResultLine = "E0221", Input, "a line is no result of a sweep",
        "Each line of a results file is one JSON object that `explore` has appended. A last line that was cut off is \
         passed over and its job done again; any other line that cannot be read is an error.";
    ResultsMixed = "E0222", Input, "results of different sweeps are mixed",
        "Results carry the name of their sweep, which follows from the version of tmugen, the configuration, what is \
         varied, the quads, the engine and the latency. Only results of one sweep compare, so `explore` does not append \
         to the results of another and `explore merge` does not put them together.";
    RecordTexture = "E0223", Input, "it is not clear which texture's quads to record",
        "`render --record-quads` writes the quads of one texture, since a list of quads is sampled from a single one. \
         Where a scene samples several, --record-texture says which by its name in the scene.";
    Incomplete = "E0224", Input, "the results are not those of the whole sweep",
        "`explore merge` puts the files of all shards together. A front of some of the configurations looks like one of all, \
         so it is only shown where --partial asks for it. A shard has its number in every line that it writes.";
    NoQuads = "E0225", Input, "nothing would be compared",
        "`sim --only` does some of the items of a run, as the short case of a failure names them. Without a quad among them \
         nothing comes out that could be compared, and a run that compares nothing has not passed. Seed and options must be \
         those of the run that the items are of.";
    Sampler = "E0226", Input, "a texture and the way in which it is read contradict each other",
        "Floats are not filtered, only depths are compared, the least level of detail is not over the most, and only 2d, cube \
         and 2d_array textures have four texels to gather. A core answers such requests with zeros and the error bit.";
    NotWritten = "E0230", Input, "a file is not what tmugen has written",
        "`estimate` reads a folder that `generate` has written, by its manifest.json, and compares with a file that \
         `estimate --json` has printed.";
    Synthesis = "E0231", Input, "Yosys does not synthesise the hardware",
        "Whatever `generate` writes can be synthesised. A module that --top names must be one of it, and files that were \
         changed must still be Verilog.";
    Device = "E0232", Usage, "the device is not known, or not the one meant",
        "`check --device` knows the devices of docs/reference/devices.md, by their short name or as they are ordered. An \
         estimate that --area reads must be of the device's family: LUTs of four inputs and of six do not compare.";
    DoesNotFit = "E0233", Input, "the device is too small for the hardware",
        "`estimate --route` places the hardware on one device. What is too few there is named with the number that is missing, and with \
         the keys of a configuration that it follows from.";
    Overlap = "E0240", Usage, "an output is a file of the same run",
        "No output takes the place of a file that the same run reads, or of another of its outputs; also not through links, \
         hard links or another spelling of the path. That includes files that are only implied: the descriptor beside a \
         memory image, the pictures of a scene. --force does not allow it.";
    OtherKind = "E0241", Input, "what is there is of another kind than the output",
        "An output replaces what an earlier run has left at its place, and an empty file. Anything else that is there, such \
         as a configuration with comments, Verilog written by hand or another program's file, is replaced only with \
         --force.";
    Undeclared = "E0242", Internal, "a command writes a file that it has not named",
        "Every command names the files that it reads and writes before its work, so that none of them can be lost. That one \
         was not named is a fault of tmugen; nothing was written.";
    Cache = "E0243", Output, "the cache of compiled models cannot be used",
        "Models that are compiled for simulation are kept in a directory: $TMUGEN_CACHE_DIR, else $XDG_CACHE_HOME/tmugen, \
         else $HOME/.cache/tmugen. It must be writable and have room for some tens of megabytes a model. Everything in it can \
         be deleted at any time.";
    LeftOut = "E0244", Missing, "this build does not have the command",
        "`cargo build --no-default-features` compiles the commands that make hardware of a configuration and nothing else. \
         All others come with the feature `full`, which is on unless it is switched off: `cargo run --release -- COMMAND`, \
         or `cargo install --path crates/tmugen`.";
    Requests = "E0245", Input, "the file is no list of requests",
        "A list of requests has a line for each packet, and `tdata` of each beat in hex digits, as wide as the configuration's \
         request stream. docs/reference/requests.md has the form. Files that its `memory` lines name are looked for beside it.";
}

/// Why a command did not do what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// How the program ends.
    pub exit: Exit,
    /// What is wrong, at least one thing.
    pub problems: Vec<Problem>,
    /// Further problems of the same kind that are not listed.
    pub omitted: usize,
}

impl Failure {
    /// A failure of a rule of the command line.
    pub fn new(rule: Rule, message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure::from_problem(rule, Problem::new(rule, message, help))
    }

    /// The same, about a file.
    pub fn in_file(rule: Rule, file: &Path, message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure::from_problem(rule, Problem::new(rule, message, help).in_file(file))
    }

    fn from_problem(rule: Rule, problem: Problem) -> Self {
        Failure { exit: rule.exit(), problems: vec![problem], omitted: 0 }
    }

    /// Wrong input, with everything that is wrong about it.
    pub fn input(problems: Vec<Problem>) -> Self {
        Failure { exit: Exit::Input, problems, omitted: 0 }
    }

    /// What is wrong with the command line.
    pub fn usage(error: &clap::Error) -> Self {
        let (message, help) = if error.kind()
            == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        {
            ("no command is given".to_owned(), String::new())
        } else {
            // The parser tells what is wrong, then tips and usage, parted by blank lines; lists stand on lines of their own.
            let text = error.render().to_string();
            let parts = text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
            let mut parts =
                parts.filter(|part| !part.is_empty() && !part.starts_with("For more information"));
            let message = parts.next().unwrap_or_default();
            let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
            (message, parts.collect::<Vec<_>>().join("; "))
        };
        let help = if help.is_empty() { "--help shows what there is".to_owned() } else { help };
        Failure::new(Rule::Usage, message, help)
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Failure::input(problems.into_iter().collect())
    }
}

#[cfg(feature = "full")]
impl From<tmu_view::Refusal> for Failure {
    fn from(refusal: tmu_view::Refusal) -> Self {
        Failure::input(refusal.problems)
    }
}
