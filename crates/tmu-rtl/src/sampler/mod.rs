//! Texture units: compositions of the stages and a cache between a request FIFO and a result FIFO.

pub mod ports;
pub mod request_switch;
pub mod store_port;
pub mod store_switch;
pub mod result_register;
pub mod stream_fifo;

pub mod fury;
pub mod general;
pub mod quad;

pub mod engine;
