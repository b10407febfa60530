//! The hardware of a configuration, or what the design checks say of it.

use crate::args::check_hardware;
use crate::problem::{Failure, Rule};
use tmu_problem::Problems;
use tmu_rtl::outputs::Hardware;
use tmu_spec::Config;

/// The hardware of a configuration.
pub(crate) fn hardware(config: &Config) -> Result<Hardware, Failure> {
    check_hardware(config)?;
    Hardware::new(config).map_err(|problems| design_failure(&problems))
}

/// The failure of hardware that does not pass the design checks.
pub(crate) fn design_failure(problems: &Problems) -> Failure {
    let message = format!("the hardware does not pass the design checks:\n{problems}");
    Failure::new(Rule::Design, message, "report this together with the configuration")
}
