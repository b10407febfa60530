//! For tests, those inside of the crate among them: a machine without tools.

use super::{HardwareEngine, Problem, Workbench};
use tmu_spec::{Binding, Config};

pub(crate) struct NoHardware;

impl Workbench for NoHardware {
    fn not_built(&self, _: &Binding, _: &Config, _: &str) -> Vec<Problem> {
        Vec::new()
    }

    fn missing(&self) -> Option<Problem> {
        Some(Problem {
            code: "E0210".to_owned(),
            message: "no simulator".to_owned(),
            help: "get one".to_owned(),
        })
    }

    fn hardware(
        &self,
        _: &Config,
        _: &[u8],
        _: Box<dyn FnMut(u64)>,
    ) -> Result<Box<dyn HardwareEngine>, Vec<Problem>> {
        Err(self.missing().into_iter().collect())
    }
}
