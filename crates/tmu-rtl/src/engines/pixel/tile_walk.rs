//! `tile_walk`: the tiles of a frame, row by row, and how much of each lies in the frame.
//!
//! Contract: `start` comes before the first `next`; a tile is known two clocks behind either. The frame's size holds.

use super::hidden_surfaces::TileWord;
use super::tile_fetch::words::PIXEL_BITS;
use super::words::TileShape;
use tmu_hdl::prelude::*;

/// See the module's documentation.
#[derive(LogicBlock)]
pub struct TileWalk {
    /// The clock.
    pub clocks: Clocks,
    /// A frame starts, with its first tile.
    pub start: Net<In>,
    /// The tile behind this one.
    pub next: Net<In>,
    /// Pixels of a row, less one.
    pub width_less_one: Net<In>,
    /// Rows, less one.
    pub height_less_one: Net<In>,
    /// The tile.
    pub tile: TileWord<Field<Out>>,
    /// It ends a row of tiles.
    pub ends_row: Net<Out>,
    /// It is the last one.
    pub is_last: Net<Out>,
    column: Reg,
    row: Reg,
    is_last_column: Reg,
    is_last_row: Reg,
    _shape: TileShape,
}

impl TileWalk {
    /// With tiles of a shape.
    #[must_use]
    pub fn new(shape: &TileShape) -> TileWalk {
        let clocks = Clocks::without_reset();
        let TileWord { column, row, .. } = TileWord::of(shape);
        TileWalk {
            start: Net::bit(),
            next: Net::bit(),
            width_less_one: Net::new(PIXEL_BITS),
            height_less_one: Net::new(PIXEL_BITS),
            tile: TileWord::of(shape).nets(),
            ends_row: Net::bit(),
            is_last: Net::bit(),
            column: Reg::new(&clocks, column.value_bits()),
            row: Reg::new(&clocks, row.value_bits()),
            is_last_column: Reg::new(&clocks, 1),
            is_last_row: Reg::new(&clocks, 1),
            clocks,
            _shape: *shape,
        }
    }
}

/// From tile to tile.
#[kernel]
impl TileWalk {
    fn module_name(&self) -> String {
        "tile_walk".into()
    }

    fn logic(&self) {
        /// # Tile
        let (columns, rows) = (self._shape.width_log2, self._shape.height_log2);
        let (width, height) = (self.width_less_one.val(), self.height_less_one.val());
        let (column, row) = (self.column.val(), self.row.val());
        let is_last_column = self.is_last_column.val();
        let is_last_row = self.is_last_row.val();
        self.is_last_column.next = column == width.high(PIXEL_BITS - columns);
        self.is_last_row.next = row == height.high(PIXEL_BITS - rows);
        if self.start.val() {
            self.column.next = 0;
            self.row.next = 0;
        } else if self.next.val() {
            self.column.next = if is_last_column { lit(column.width(), 0u32) } else { column + 1 };
            self.row.next = row + is_last_column.zero_extend(row.width());
        }
        self.tile.next = TileWord {
            column,
            row,
            last_column: width.low(columns) | (!is_last_column).repeat(columns),
            last_row: height.low(rows) | (!is_last_row).repeat(rows),
        };
        self.ends_row.next = is_last_column;
        self.is_last.next = is_last_column && is_last_row;
    }
}
