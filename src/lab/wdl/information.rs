//! How much samples tell of the numbers of a fit.

/// The numbers of a fit.
pub(super) const NUMBERS: usize = 6;

/// The expected information (R. A. Fisher) on the numbers, a symmetric matrix.
#[derive(Clone, Debug, Default)]
pub(super) struct Information([[f64; NUMBERS]; NUMBERS]);

impl Information {
    /// Adds so many samples with an outcome of this chance, whose derivatives by the numbers are given.
    pub(super) fn add(&mut self, samples: f64, chance: f64, derivatives: [f64; NUMBERS]) {
        for (row, by_row) in self.0.iter_mut().zip(derivatives) {
            for (cell, by_column) in row.iter_mut().zip(derivatives) {
                *cell += samples * by_row * by_column / chance;
            }
        }
    }

    /// The numbers' standard errors, as if samples were independent; `None` if some number has none.
    pub(super) fn standard_errors(&self) -> Option<[f64; NUMBERS]> {
        let root = self.root()?;
        let mut errors = [0.0; NUMBERS];
        for (number, error) in errors.iter_mut().enumerate() {
            // The column of the root's inverse, by forward substitution; its square is the number's variance.
            let mut column = [0.0; NUMBERS];
            for row in number..NUMBERS {
                let known: f64 = (number..row).map(|place| root[row][place] * column[place]).sum();
                column[row] = (f64::from(u8::from(row == number)) - known) / root[row][row];
            }
            *error = column.iter().map(|part| part * part).sum::<f64>().sqrt();
        }
        errors.iter().all(|error| error.is_finite()).then_some(errors)
    }

    /// The lower triangular matrix whose square this is (Cholesky); `None` if it is not positive definite.
    fn root(&self) -> Option<[[f64; NUMBERS]; NUMBERS]> {
        let mut root = [[0.0; NUMBERS]; NUMBERS];
        for row in 0..NUMBERS {
            for column in 0..=row {
                let known: f64 = (0..column).map(|place| root[row][place] * root[column][place]).sum();
                let rest = self.0[row][column] - known;
                if row > column {
                    root[row][column] = rest / root[column][column];
                } else if rest > 0.0 {
                    root[row][row] = rest.sqrt();
                } else {
                    return None;
                }
            }
        }
        Some(root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_the_inverse() {
        let mut information = Information::default();
        for number in 0..NUMBERS {
            let mut derivatives = [0.0; NUMBERS];
            derivatives[number] = 2.0;
            assert_eq!(information.standard_errors(), None, "nothing tells number {number}");
            information.add(25.0, 0.25, derivatives);
        }
        assert_eq!(information.standard_errors(), Some([0.05; NUMBERS]));
        // Two numbers of which the sum is known better: the inverse of [[500, 100], [100, 500]].
        information.add(100.0, 1.0, [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        let errors = information.standard_errors().unwrap();
        let expected = (500.0_f64 / (500.0 * 500.0 - 100.0 * 100.0)).sqrt();
        assert!((errors[0] - expected).abs() < 1e-12 && (errors[1] - expected).abs() < 1e-12, "{errors:?}");
        assert_eq!(errors[2], 0.05);
    }
}
