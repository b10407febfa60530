//! From places in a scene to homogeneous pixels.

/// A matrix by rows, for columns of x, y, z, w.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matrix(pub [[f32; 4]; 4]);

impl Matrix {
    /// Leaves all as it is.
    pub const IDENTITY: Matrix =
        Matrix([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]);

    /// A place under the matrix.
    #[must_use]
    pub fn place(&self, place: [f32; 4]) -> [f32; 4] {
        self.0.map(|row| ((row[0] * place[0] + row[1] * place[1]) + row[2] * place[2]) + row[3] * place[3])
    }

    /// First the other matrix, then this one.
    #[must_use]
    pub fn after(&self, other: &Matrix) -> Matrix {
        let column = |at: usize| self.place([0, 1, 2, 3].map(|row: usize| other.0[row][at]));
        let columns = [0, 1, 2, 3].map(column);
        Matrix([0, 1, 2, 3].map(|row: usize| [0, 1, 2, 3].map(|at: usize| columns[at][row])))
    }
}

/// Where the cube from −1 to 1 is on the screen: x to the right, y upwards; depth is 0 to 1 before and behind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    /// The left column and the upper row, in pixels.
    pub corner: [f32; 2],
    /// Columns and rows.
    pub size: [f32; 2],
}

impl Viewport {
    /// A place of that cube, times w, in pixels, times w: y downwards, z as it was.
    #[must_use]
    pub fn pixels(&self, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
        let half = self.size.map(|side| side * 0.5);
        [x * half[0] + w * (self.corner[0] + half[0]), w * (self.corner[1] + half[1]) - y * half[1], z, w]
    }
}
