//! What keeps a frame from being made.

use core::fmt;

/// Why a frame cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// The memory is full, or ends beyond the last address.
    Memory,
    /// The memory does not begin at a multiple of 16, or at 0.
    Base,
    /// A side of the frame is 0 or over 4096.
    Size,
    /// An address or a pitch is no multiple of 16, or the pitch is shorter than a row.
    Picture,
    /// There are not so many lists as the frame has tiles.
    Lists,
    /// The list of a tile has over 1048575 entries.
    List,
    /// There are over 256 textures, or a state names one that there is not.
    Textures,
    /// The program does not begin as an encoded one.
    Program,
    /// A state has over 6 coordinate sets.
    Sets,
    /// An address is no multiple of 16.
    Alignment,
    /// A code stands for nothing.
    Code,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Error::Memory => "the memory for the frame is full, or ends beyond the last address",
            Error::Base => "the memory begins at a multiple of 16 that is not 0",
            Error::Size => "sides of a frame are 1 to 4096",
            Error::Picture => "addresses and pitches are multiples of 16, and a pitch holds a row",
            Error::Lists => "a frame needs one list for each tile",
            Error::List => "the list of a tile has up to 1048575 entries, 15 of 16 of them triangles",
            Error::Textures => "a store has up to 256 textures, and states name those that there are",
            Error::Program => "programs are those that `tmugen assemble` encodes",
            Error::Sets => "a state has up to 6 coordinate sets",
            Error::Alignment => "addresses are those that the frame has given",
            Error::Code => {
                "ways to blend are 0 to 4, comparisons 0 to 7, ways to cull and forms of the picture 0 to 2"
            }
        })
    }
}
