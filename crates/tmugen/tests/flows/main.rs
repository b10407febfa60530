//! The examples of other people's flows as a user runs them: sweeps by Slurm and Dask, FuseSoC's generators, LiteX.

mod dask;
mod fusesoc;
mod litex;
mod slurm;
mod support;
