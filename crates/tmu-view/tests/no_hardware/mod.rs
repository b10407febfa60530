//! For tests, those inside of the crate among them: a machine without tools.

use super::{HardwareEngine, Workbench};
use tmu_problem::{Problem, RuleCode};
use tmu_spec::{Binding, Config};

pub(crate) struct NoHardware;

impl RuleCode for NoHardware {
    fn code(self) -> &'static str {
        "E0210"
    }
}

impl Workbench for NoHardware {
    fn not_built(&self, _: &Binding, _: &Config, _: &str) -> Vec<Problem> {
        Vec::new()
    }

    fn missing(&self) -> Option<Problem> {
        Some(Problem::new(NoHardware, "no simulator", "get one"))
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
