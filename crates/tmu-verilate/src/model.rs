//! A compiled model, from which any number of instances are made.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::build::{self, Built, LIBRARY_FILE, ModelOptions};
use crate::cores::Description;
use crate::error::{Error, IoContext as _, Result};
use crate::ffi::Loaded;
use crate::instance::{Initial, Instance};
use crate::source::{Direction, ModelSource, Port};

/// Index of a port of one model, found once by name. It means nothing to other models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PortId(pub(crate) usize);

/// A compiled and loaded model. Clones share it.
///
/// Building costs about a second for a small design and nothing when it is in the cache. The library stays
/// loaded to the end of the process.
#[derive(Clone)]
pub struct Model {
    pub(crate) shared: Arc<Shared>,
    /// Inputs that every instance begins with, and their values.
    held: Vec<(PortId, u64)>,
}

pub(crate) struct Shared {
    pub(crate) source: ModelSource,
    pub(crate) library: &'static Loaded,
    directory: PathBuf,
    warnings: String,
    from_cache: bool,
    repaired: Option<String>,
    by_name: HashMap<String, PortId>,
    /// The files of a build that is not kept live as long as the model.
    _temporary: Option<tempfile::TempDir>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shared { source, directory, .. } = &*self.shared;
        f.debug_struct("Model")
            .field("top", &source.top)
            .field("directory", directory)
            .finish_non_exhaustive()
    }
}

impl Model {
    /// Compiles and loads `source`.
    ///
    /// # Errors
    /// [`Error::Source`] for a description that cannot be used or whose ports are not the module's;
    /// [`Error::Tool`] with the tool's text if Verilator refuses the Verilog; [`Error::MissingTool`].
    pub fn build(source: &ModelSource, options: &ModelOptions) -> Result<Self> {
        source.validate()?;
        let built = build::build(source, options)?;
        let library = Loaded::get(&built.directory.join(LIBRARY_FILE), options.fst, options.coverage())?;
        Ok(Self::new(source.clone(), library, built))
    }

    /// Loads a model that [`CoreBuild`](crate::CoreBuild) left in a folder.
    ///
    /// # Errors
    /// If there is none, or it cannot be loaded.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let directory = std::path::absolute(folder.as_ref()).context("resolve", folder.as_ref())?;
        let description = Description::read(&directory)?;
        let source = description.source(&directory)?;
        let Description { fst, coverage, warnings, .. } = description;
        let library = Loaded::get(&directory.join(LIBRARY_FILE), fst, coverage)?;
        let built = Built { directory, warnings, from_cache: true, repaired: None, temporary: None };
        Ok(Self::new(source, library, built))
    }

    fn new(source: ModelSource, library: &'static Loaded, built: Built) -> Self {
        let names = source.ports.iter().enumerate().map(|(i, port)| (port.name.clone(), PortId(i)));
        let shared = Shared {
            by_name: names.collect(),
            source,
            library,
            from_cache: built.from_cache,
            repaired: built.repaired,
            directory: built.directory,
            warnings: built.warnings,
            _temporary: built.temporary,
        };
        Self { shared: Arc::new(shared), held: Vec::new() }
    }

    /// The source it was built from.
    pub fn source(&self) -> &ModelSource {
        &self.shared.source
    }

    /// Where the compiled model stands.
    pub fn directory(&self) -> &Path {
        &self.shared.directory
    }

    /// Whether the build was found in the cache.
    pub fn from_cache(&self) -> bool {
        self.shared.from_cache
    }

    /// What was wrong with the build in the cache, if there was one and it had to be built again.
    pub fn repaired(&self) -> Option<&str> {
        self.shared.repaired.as_deref()
    }

    /// What Verilator warned of, as it wrote it; empty for clean Verilog.
    pub fn warnings(&self) -> &str {
        &self.shared.warnings
    }

    /// Finds a port.
    ///
    /// # Errors
    /// If there is none of that name; the message lists those there are.
    pub fn port(&self, name: &str) -> Result<PortId> {
        self.shared.by_name.get(name).copied().ok_or_else(|| {
            let known: Vec<_> = self.source().ports.iter().map(|port| port.name.as_str()).collect();
            Error::Usage(format!("`{}` has no port `{name}`; it has {}", self.source().top, known.join(", ")))
        })
    }

    /// What is known of a port.
    pub fn describe(&self, port: PortId) -> &Port {
        &self.source().ports[port.0]
    }

    /// Ports of one direction, in the order of the port list.
    pub fn ports(&self, direction: Direction) -> impl Iterator<Item = PortId> {
        let ports = self.source().ports.iter().enumerate();
        ports.filter(move |(_, port)| port.direction == direction).map(|(i, _)| PortId(i))
    }

    /// The same model, whose instances begin with this value at an input. For inputs that choose what a model is and that a
    /// test bench knows nothing of.
    ///
    /// # Errors
    /// If there is no such port.
    pub fn holding(&self, name: &str, value: u64) -> Result<Self> {
        let port = self.port(name)?;
        let held = self.held.iter().copied().chain([(port, value)]).collect();
        Ok(Self { held, ..self.clone() })
    }

    /// An instance with everything at zero that has no initial value.
    ///
    /// # Errors
    /// As [`Model::instance_with`].
    pub fn instance(&self) -> Result<Instance> {
        self.instance_with(Initial::Zeros)
    }

    /// An instance with this in everything that has no initial value.
    ///
    /// # Errors
    /// [`Error::Failed`] if the model cannot be constructed.
    pub fn instance_with(&self, initial: Initial) -> Result<Instance> {
        let mut instance = Instance::new(self.clone(), initial)?;
        for (port, value) in &self.held {
            instance.set(*port, *value);
        }
        Ok(instance)
    }
}
