//! The pages of `tmugen view`, and the server behind them: a picture through the texture unit, a scene of the general numerics, a mesh, or
//! a frame of the pixel pipeline, live.
//!
//! A request goes through these modules, in this order:
//!
//! | module | does |
//! | --- | --- |
//! | `server` | listens on this machine alone, bounds connections, headers, bodies and time |
//! | `visitors` | who is there, and who goes when there are too many |
//! | `routes` | tells requests of the page from all others, and answers them |
//! | `answer` | what an answer is made of |
//! | `site` | which page there is, and its answers |
//! | `settings` | what the page has chosen, checked, and as a scene file |
//! | `workbench` | what is asked of whoever simulates hardware |
//! | `session` | the picture and its packed textures; a frame by the golden model |
//! | `heat` | the lines of the texture that were looked up, drawn over its levels |
//! | `general` | the same of a scene of the general numerics; what happens at a pixel |
//! | `mesh` | the same of a mesh: what has been chosen, a frame by the golden model, files |
//! | `pixel` | the same of a scene of the pixel pipeline; what its tiles took, and what happens at a pixel |
//! | `place` | a pixel that is asked about |
//! | `job` | a frame by the hardware in simulation, one at a time, on a thread of its own |
//! | `hardware` | what that is of a scene |
//! | `page` | HTML, style and script of each page as one text |
//! | `problem` | everything that can be wrong, with code and remedy |
//!
//! Contract: nothing is written to disk and nothing is printed; whatever is sent, the answer is a page, a frame or a
//! [`Problem`](tmu_problem::Problem). What it draws is what `tmugen render` draws of the scene file that the page offers or
//! was given, and `tmugen mesh` of the job, and `tmugen render --pipeline pixel` of the scene. The server knows no hardware: a
//! [`Workbench`], a [`GeneralWorkbench`], a [`MeshWorkbench`] or a [`PixelWorkbench`] hands it in.
//!
//! Cost: a frame is sampled on all threads. Kept are the picture, its textures in the formats that were looked at, two frames of the
//! hardware, and of a scene of the pixel pipeline the memory that its last frame was drawn from.

mod answer;
#[cfg(test)]
mod damage;
mod general;
mod hardware;
mod heat;
mod job;
mod mesh;
#[cfg(test)]
#[path = "../tests/no_hardware/mod.rs"]
mod no_hardware;
mod page;
mod pixel;
mod place;
mod problem;
mod routes;
mod server;
mod session;
mod settings;
mod site;
mod visitors;
mod workbench;

pub use general::{DrawnScene, GeneralSession, GeneralSettings, GeneralWorkbench};
pub use mesh::{DrawnMesh, MeshSession, MeshSettings, MeshWorkbench};
pub use pixel::{DrawnPixels, PixelBuild, PixelEngine, PixelSession, PixelSettings, PixelWorkbench};
pub use problem::{Refusal, Rule};
pub use server::Server;
pub use session::{Choice, Drawn, Limits, Session};
pub use settings::{MAX_SIDE, Orbit, Settings, Shape};
pub use site::Site;
pub use workbench::{HardwareCounts, HardwareEngine, Workbench};
