//! `compare`: of texels that are depths, whether `reference op depth` holds.
//!
//! A reference of integers becomes one: limited to 0 … 1 and rounded. Then both are unsigned numbers in the order of what they stand
//! for: of a single with a sign all bits are turned round, of others the uppermost one. Zeros have no sign.
//!
//! Contract: items as [`FilterTap`] says, with their texels; a depth stands in the low 32 bits of its texel, an integer with zeros
//! above. Where texels are compared, each one that is brought is all ones in R where the comparison holds, else 0; G and B are 0, A is
//! all ones. All others go through as they are. The bits of a texel above four channels mean nothing where it was compared.
//!
//! Cost: latency 10 clocks, 5 without depths that are integers; initiation interval 1. For integers a DSP slice.
//! 416 LUTs with all depths and floats, as Yosys 0.70 estimates them for UltraScale+. Texels on their way are flip-flops.

use super::decode::FilterTap;
use super::unit_number::{self, Begun, Scaled};
use super::words::{NUMBER_BITS, TAPS, channels_bits, general};
use tmu_hdl::prelude::*;
use tmu_hdl::primitives::Multiplier;
use tmu_spec::format::Texel;
use tmu_spec::{Config, Format};

/// Where an item is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Stages)]
pub enum Stage {
    /// It comes in.
    Entry,
    /// Its reference is in the multiplier.
    Factors,
    /// As before.
    Multiply,
    /// It has its places.
    Product,
    /// Its lower places are rounded.
    Borrow,
    /// Its upper ones are.
    Round,
    /// It is limited.
    Limit,
    /// Depths and reference are compared.
    Compare,
    /// Both are in order, and texels that are compared are cleared.
    Order,
    /// Those where the comparison holds are set.
    Set,
    /// The item leaves.
    Exit,
}

/// What depths there are.
#[derive(Clone, Copy, Debug)]
struct Depths {
    /// Bits of the widest integers; none without any.
    integer_bits: Option<usize>,
    /// There are narrower ones too.
    has_narrow: bool,
    floats: bool,
}

impl Depths {
    fn of(config: &Config) -> Depths {
        let bits = |format: Format| match format.texel() {
            Texel::Depth { bits, .. } => Some(bits as usize),
            _ => None,
        };
        let widths: Vec<usize> = config.features().formats().filter_map(bits).collect();
        let most = widths.iter().copied().max();
        Depths {
            integer_bits: most,
            has_narrow: widths.iter().any(|width| Some(*width) < most),
            floats: config.features().formats().any(|format| format == Format::D32f),
        }
    }

    fn has(self, stage: &Stage) -> bool {
        use Stage::{Borrow, Factors, Multiply, Product, Round};
        self.integer_bits.is_some() || !matches!(stage, Factors | Multiply | Product | Borrow | Round)
    }
}

/// Whether a configuration has the stage.
pub fn is_built(config: &Config) -> bool {
    general(config).compare
}

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct Compare {
    /// Clock and reset.
    pub clocks: Clocks,
    /// An item comes.
    pub in_valid: Net<In>,
    /// What belongs to it, see [`FilterTap`].
    pub tap: Net<In>,
    /// Its texels, 0 where it brings none.
    pub texels: Vec<Net<In>>,
    /// A texel that it needs could not be read.
    pub error: Net<In>,
    /// An item leaves.
    pub out_valid: Net<Out>,
    /// What belongs to it.
    pub out_tap: Net<Out>,
    /// Its texels.
    pub out_texels: Vec<Net<Out>>,
    /// A texel that it needs could not be read.
    pub out_error: Net<Out>,
    product: Optional<Multiplier>,
    pipe: Pipe<Stage>,
    _depths: Depths,
    _config: Config,
}

/// A number of sign and magnitude.
#[derive(Clone, Debug, Record)]
struct Parts<T = Bits> {
    magnitude: T,
    is_negative: T,
    /// It stands for nothing.
    is_nan: T,
}

/// A number in the order of what it stands for.
#[derive(Clone, Debug, Record)]
struct Key<T = Bits> {
    number: T,
    /// It stands for nothing.
    is_nan: T,
}

/// How a reference is to a depth.
#[derive(Clone, Debug, Record)]
struct Order<T = Bits> {
    is_less: T,
    is_equal: T,
    is_nan: T,
}

impl Compare {
    /// The stage for a configuration.
    pub fn new(config: &Config) -> Compare {
        let depths = Depths::of(config);
        assert!(depths.floats || depths.integer_bits.is_some(), "there are formats of depths");
        let clocks = Clocks::new();
        let stages: Vec<Stage> = Stage::ALL.iter().copied().filter(|stage| depths.has(stage)).collect();
        let (tap_bits, texel_bits) = (FilterTap::of(config).width(), channels_bits(config));
        let compare = Compare {
            in_valid: Net::bit(),
            tap: Net::new(tap_bits),
            texels: Net::array(TAPS, texel_bits),
            error: Net::bit(),
            out_valid: Net::bit(),
            out_tap: Net::new(tap_bits),
            out_texels: Net::array(TAPS, texel_bits),
            out_error: Net::bit(),
            product: Optional::new(depths.integer_bits.is_some(), || {
                unit_number::multiplier(depths.integer_bits.unwrap_or_default())
            }),
            pipe: Pipe::with(&stages),
            clocks,
            _depths: depths,
            _config: config.clone(),
        };
        compare.pipe.plan(&compare.clocks, || compare.logic());
        compare
    }

    /// Clocks from an item that comes to the same item as it leaves.
    pub fn latency_clocks(&self) -> u32 {
        self.pipe.latency_clocks()
    }
}

/// Depths and references to true and false.
#[kernel]
impl Compare {
    fn logic(&self) {
        let pipe = self.pipe.run(&self.clocks, lit(1, 1u32));
        pipe.timing();
        /// # Items
        let in_tap = FilterTap::of(&self._config).unpack(self.tap.val());
        self.out_valid.next = pipe.flag(Stage::Entry, "is_item", self.in_valid.val()).at(Stage::Exit);
        self.out_error.next = pipe.put(Stage::Entry, "error", self.error.val()).at(Stage::Exit);
        let tap = pipe.put(Stage::Entry, "tap", in_tap.clone());
        self.out_tap.next = FilterTap::of(&self._config).pack(&tap.at(Stage::Exit));
        let reference = self.reference(&pipe, &in_tap);
        self.compare(&pipe, &tap, &reference);
    }

    /// The reference in order, at [`Stage::Compare`].
    fn reference(&self, pipe: &Run<'_, Stage>, in_tap: &FilterTap) -> Key {
        /// # Reference
        let single = in_tap.texels.reference;
        let has = |format: Format| in_tap.format == u64::from(format.code());
        let own = self._depths.floats.then(|| {
            let parts = parts(single.low(NUMBER_BITS - 1), single.bit(NUMBER_BITS - 1));
            pipe.put(Stage::Entry, "single", parts)
        });
        let (Some(product), Some(bits)) = (self.product.as_ref(), self._depths.integer_bits) else {
            let Some(own) = own else { panic!("there are formats of depths") };
            let own = own.at(Stage::Limit);
            let key = Key { number: in_order(&own), is_nan: own.is_nan };
            return pipe.put(Stage::Limit, "reference", key).at(Stage::Compare);
        };
        let is_narrow =
            self._depths.has_narrow.then(|| pipe.put(Stage::Entry, "is_narrow", has(Format::D16)));
        let narrow = |stage: Stage| is_narrow.as_ref().map(|is_narrow| is_narrow.at(stage));
        let (factors, class) = unit_number::factors(single, bits);
        let product = pipe.through(Stage::Entry, "product", product, factors).at(Stage::Product);
        let class = pipe.put(Stage::Entry, "class", class);
        let scaled = unit_number::scaled(product, &class.at(Stage::Product), bits, narrow(Stage::Product));
        let scaled: Scaled = pipe.put(Stage::Product, "scaled", scaled).at(Stage::Borrow);
        let begun = unit_number::begun(&scaled, bits, narrow(Stage::Borrow));
        let begun: Begun = pipe.put(Stage::Borrow, "begun", begun).at(Stage::Round);
        let rounded = unit_number::rounded(&begun, bits, narrow(Stage::Round));
        let rounded = pipe.put(Stage::Round, "rounded", rounded).at(Stage::Limit);
        /// All ones is 1.
        let most = match narrow(Stage::Limit) {
            Some(is_narrow) => {
                let (low, high) = (lit(16, u16::MAX), (!is_narrow).repeat(bits - 16));
                cat(&[high, low])
            }
            None => !lit(bits, 0u32),
        };
        let class = class.at(Stage::Limit);
        let limited = if class.is_over { most } else { rounded };
        let integer = cat(&[lit(1, 1u32), limited.zero_extend(NUMBER_BITS - 1)]);
        let number = match own {
            Some(own) => {
                let is_float = pipe.put(Stage::Entry, "is_float", has(Format::D32f)).at(Stage::Limit);
                let float = in_order(&own.at(Stage::Limit));
                if is_float { float } else { integer }
            }
            None => integer,
        };
        pipe.put(Stage::Limit, "reference", Key { number, is_nan: class.is_nan }).at(Stage::Compare)
    }

    fn compare(&self, pipe: &Run<'_, Stage>, tap: &Payload<'_, Stage, FilterTap>, reference: &Key) {
        /// # Comparison
        let color_bits = 4 * general(&self._config).channel_bits as usize;
        let channel_bits = color_bits / 4;
        let FilterTap { texels: of_order, .. } = tap.at(Stage::Order);
        let FilterTap { texels: of_set, brings, .. } = tap.at(Stage::Set);
        for (place, (to, from)) in self.out_texels.iter().zip(&self.texels).enumerate() {
            let name = |part: &str| format!("{part}_{}", NAMES[place]);
            let texel = pipe.put(Stage::Entry, &name("texel"), from.val());
            let word = texel.at(Stage::Limit);
            /// An integer has no sign.
            let is_negative = if self._depths.floats { word.bit(NUMBER_BITS - 1) } else { lit(1, 0u32) };
            let depth = parts(word.low(NUMBER_BITS - 1), is_negative);
            let depth = pipe.put(Stage::Limit, &name("depth"), depth).at(Stage::Compare);
            let number = in_order(&depth);
            let order = Order {
                is_less: reference.number < number,
                is_equal: reference.number == number,
                is_nan: reference.is_nan || depth.is_nan,
            };
            let order = pipe.put(Stage::Compare, &name("order"), order).at(Stage::Order);
            let holds = holds(of_order.compare, &order) && of_order.compares;
            let holds = pipe.put(Stage::Order, &name("holds"), holds).at(Stage::Set);
            /// Set and reset of flip-flops do the rest.
            let texel = texel.at(Stage::Order);
            let cleared = if of_order.compares { lit(color_bits, 0u32) } else { texel.low(color_bits) };
            let cleared = pipe.put(Stage::Order, &name("cleared"), cleared).at(Stage::Set);
            let ones = !lit(channel_bits, 0u32);
            let is_brought = brings.bit(place);
            let red = if holds && is_brought { ones } else { cleared.low(channel_bits) };
            let alpha = if of_set.compares && is_brought { ones } else { cleared.high(channel_bits) };
            let color = cat(&[alpha, cleared.slice(channel_bits, 2 * channel_bits), red]);
            let color = pipe.put(Stage::Set, &name("color"), color).at(Stage::Exit);
            let rest = texel.width() - color_bits;
            to.next = if rest > 0 {
                let above = pipe.put(Stage::Order, &name("above"), texel.high(rest)).at(Stage::Exit);
                cat(&[above, color])
            } else {
                color
            };
        }
    }
}

/// Names of the places, row before column.
const NAMES: [&str; TAPS] = ["even_even", "even_odd", "odd_even", "odd_odd"];

/// Bits of a single's fraction.
const FRACTION_BITS: usize = 23;

/// The parts of a number of sign and magnitude. A zero has no sign.
#[kernel]
fn parts(magnitude: Bits, is_negative: Bits) -> Parts {
    let (exponent, fraction) =
        (magnitude.high(NUMBER_BITS - 1 - FRACTION_BITS), magnitude.low(FRACTION_BITS));
    let has_fraction = fraction.any();
    Parts {
        magnitude,
        is_negative: is_negative && (has_fraction || exponent.any()),
        is_nan: exponent.all() && has_fraction,
    }
}

/// A number in the order of what it stands for.
#[kernel]
fn in_order(of: &Parts) -> Bits {
    cat(&[!of.is_negative, of.magnitude ^ of.is_negative.repeat(NUMBER_BITS - 1)])
}

/// One bit: the comparison holds, by the number of a [`CompareOp`](tmu_spec::general::CompareOp): a bit each for less, equal and
/// greater. What is no number is neither less nor greater than any, and not equal either.
#[kernel]
fn holds(op: Bits, order: &Order) -> Bits {
    let ordered = if order.is_equal { op.bit(1) } else { op.bit(2) };
    let ordered = if order.is_less { op.bit(0) } else { ordered };
    if order.is_nan { op.bit(0) && op.bit(2) } else { ordered }
}
