//! How a frame ends that could not be drawn: a code, and the address of what was at fault.

/// Declares the codes: name, number, title, which address stands beside it.
macro_rules! faults {
    ($( $name:ident = $code:literal, $title:literal, $address:literal; )*) => {
        /// Why a frame has ended before its last tile. Codes keep their number and meaning for ever; 0 is none.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum FaultCode {
            $( #[doc = $title] $name = $code, )*
        }

        impl FaultCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$( FaultCode::$name ),*];

            /// What was wrong, in a few words.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $( FaultCode::$name => $title, )* }
            }

            /// Whose address is given.
            #[must_use]
            pub const fn address_of(self) -> &'static str {
                match self { $( FaultCode::$name => $address, )* }
            }
        }
    };
}

faults! {
    Read = 1, "memory could not be read", "the line";
    Write = 2, "memory could not be written", "the line";
    Frame = 3, "the frame's record breaks a rule", "the record";
    Entry = 4, "a list holds no entry, or parts out of order", "the entry";
    Endless = 5, "a tile's list has more entries than the frame's limit", "the first entry beyond the limit";
    Triangle = 6, "a triangle's record breaks a rule", "the record";
    Vertex = 7, "a vertex breaks a rule", "the vertex";
    State = 8, "a state breaks a rule", "the record";
    Program = 9, "a program was not checked", "the program";
    Texture = 10, "a texture of the store breaks a rule", "its binding";
    Texels = 11, "texels could not be read", "the texture's base";
    Part = 12, "the state of an opaque triangle may let pixels go", "the triangle's record";
}

impl std::fmt::Display for FaultCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.title())
    }
}
