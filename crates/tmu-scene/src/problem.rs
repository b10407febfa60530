//! What can be wrong with a scene: codes, titles and explanations.

use tmu_problem::RuleCode;

/// Declares the rules of scenes: code, title and explanation of each.
macro_rules! rules {
    ($( $name:ident = $code:literal, $title:literal, $explanation:literal; )*) => {
        /// The rule that a scene breaks. Codes keep their number and meaning for ever.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $( #[doc = $title] $name, )*
        }

        impl Rule {
            /// Every rule, by rising code.
            pub const ALL: &'static [Self] = &[$( Self::$name ),*];

            /// What breaks the rule, in a few words.
            pub fn title(self) -> &'static str {
                match self {
                    $( Self::$name => $title, )*
                }
            }

            /// What the rule says and why, in a paragraph.
            pub fn explanation(self) -> &'static str {
                match self {
                    $( Self::$name => $explanation, )*
                }
            }
        }

        impl RuleCode for Rule {
            fn code(self) -> &'static str {
                match self {
                    $( Self::$name => $code, )*
                }
            }
        }
    };
}

rules! {
    Syntax = "E0301", "the scene is not TOML",
        "A scene is a TOML file, and so is a job of `tmugen mesh`. The parser could not read the line that is named.";
    UnknownKey = "E0302", "there is no such key",
        "Every key of a scene, or of a job of `tmugen mesh`, must be one that the renderer knows and that goes with the shape it stands at, so that a \
         misspelt key is not silently ignored.";
    MissingKey = "E0303", "a key is missing",
        "A key or table without which the scene, or the job of `tmugen mesh`, cannot be drawn is not there.";
    WrongType = "E0304", "a value is of the wrong type",
        "A key has a value of another type than it needs, such as text for a number.";
    OutOfRange = "E0305", "a value is out of its range",
        "Numbers must be finite and within limits that keep the picture exact and the memory bounded; choices must be \
         one of the names that exist.";
    UnknownName = "E0306", "there is no texture or sampler of that name",
        "A mesh names its texture and its sampler. Each must be defined by a [[texture]] or [[sampler]] table of the \
         same file, and a projector by a [[projector]] table.";
    DuplicateName = "E0307", "two textures or two samplers have one name",
        "Textures must have different names, and so must samplers and projectors, so that a mesh means one of them.";
    Conflict = "E0308", "values do not go together",
        "Values that are allowed one by one make no sense together, such as a camera that looks at its own place.";
    Limit = "E0309", "the scene is too large",
        "The renderer limits counts and file sizes, so that a frame stays within its memory whatever the scene holds.";
    File = "E0310", "a file of the scene cannot be read",
        "A scene, and the mesh files that it names, must exist and be readable. Paths in a scene are relative to it, and \
         paths in a mesh file to that file.";
    Mesh = "E0311", "a mesh file cannot be drawn",
        "A mesh file must hold triangles with texture coordinates, with all indices and buffers within what the file \
         defines.";
    Texture = "E0312", "a texture of the scene cannot be used",
        "A texture comes from a picture whose sizes are powers of two up to 2048, or from the descriptor of a packed \
         texture. What is wrong with it is listed with a code of its own. In a scene of the general numerics it may have \
         any kind and size up to 4096, and must keep the rules of both.";
    Numerics = "E0313", "the scene is of the general numerics",
        "A scene with `numerics = \"general\"` has textures and samplers that only units of the general numerics sample. \
         `tmugen render` draws it with a configuration of them, such as the presets multi and multi-lite; frames of bench, \
         explore and the live view are of the classic numerics.";
    MeshPoints = "E0314", "the points of a mesh are not those that it has",
        "The CSV file of a job of `tmugen mesh` has the header x,y,u,v and a row for each point: x from 0 to hmeshlast and y \
         from 0 to vmeshlast, each pair once, and its place in the texture as two integers of 32 bits with 6 bits behind the \
         point. A point that is missing, there twice or outside the mesh is an error, so that nothing is drawn from points \
         that nobody gave.";
    MeshPicture = "E0315", "a picture does not fit a job",
        "Textures and frame buffers of a job of `tmugen mesh` have 1 to 2047 pixels a side. A .rgb565 file has no size of its \
         own: the job says it, and the file has two bytes for each pixel. The size of any other picture is its own, and what \
         the job says must agree with it.";
    Untraceable = "E0316", "a mesh cannot be traced",
        "`tmugen trace` follows rays through a grid around all triangles of a scene. A floor to the horizon, a sky and a \
         rectangle on the screen have no place in it: they have no end, or none in the scene. Indices of 16 bits name at most \
         65536 corners, and lists of a grid hold at most 2097152 triangles.";
    Program = "E0317", "a program of the scene cannot be used",
        "A mesh of a scene of the pixel pipeline names a pixel shader of version 1.4, as text, byte code or encoded. What is wrong with it is \
         listed with a code of its own; `tmugen assemble` checks it alone.";
}
