//! What samples tell of the numbers of a fit, and how much.

/// The numbers of a fit.
pub(super) const NUMBERS: usize = 6;

/// The expected information on the numbers (R. A. Fisher), and where the samples are likelier.
#[derive(Clone, Debug, Default)]
pub(super) struct Information {
    /// Derivatives of the log-likelihood by the numbers.
    gradient: [f64; NUMBERS],
    /// The information, a symmetric matrix.
    matrix: [[f64; NUMBERS]; NUMBERS],
}

impl Information {
    /// Adds so many samples, of which some had an outcome of this chance, whose derivatives by the numbers are given.
    pub(super) fn add(&mut self, samples: f64, came: f64, chance: f64, derivatives: [f64; NUMBERS]) {
        for (row, by_row) in self.matrix.iter_mut().zip(derivatives) {
            for (cell, by_column) in row.iter_mut().zip(derivatives) {
                *cell += samples * by_row * by_column / chance;
            }
        }
        for (slope, derivative) in self.gradient.iter_mut().zip(derivatives) {
            *slope += came * derivative / chance;
        }
    }

    /// The changes of the numbers that lead to the likeliest ones, as far as the information tells (Fisher scoring);
    /// `None` if it does not determine them.
    pub(super) fn step(&self) -> Option<[f64; NUMBERS]> {
        let root = self.root()?;
        let mut step = self.gradient;
        for row in 0..NUMBERS {
            let known: f64 = (0..row).map(|place| root[row][place] * step[place]).sum();
            step[row] = (step[row] - known) / root[row][row];
        }
        for row in (0..NUMBERS).rev() {
            let known: f64 = (row + 1..NUMBERS).map(|place| root[place][row] * step[place]).sum();
            step[row] = (step[row] - known) / root[row][row];
        }
        step.iter().all(|change| change.is_finite()).then_some(step)
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
                let rest = self.matrix[row][column] - known;
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
            information.add(25.0, 0.0, 0.25, derivatives);
        }
        assert_eq!(information.standard_errors(), Some([0.05; NUMBERS]));
        // Two numbers of which the sum is known better: the inverse of [[500, 100], [100, 500]].
        information.add(100.0, 0.0, 1.0, [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        let errors = information.standard_errors().unwrap();
        let expected = (500.0_f64 / (500.0 * 500.0 - 100.0 * 100.0)).sqrt();
        assert!((errors[0] - expected).abs() < 1e-12 && (errors[1] - expected).abs() < 1e-12, "{errors:?}");
        assert_eq!(errors[2], 0.05);
    }

    #[test]
    fn a_step_solves_the_equations_of_the_information() {
        let mut information = Information::default();
        for number in 0..NUMBERS {
            let mut derivatives = [0.5; NUMBERS];
            derivatives[number] = 1.0 + number as f64;
            information.add(10.0, 3.0 + number as f64, 0.5, derivatives);
        }
        let step = information.step().unwrap();
        for (row, slope) in information.matrix.iter().zip(information.gradient) {
            let product: f64 = row.iter().zip(step).map(|(cell, change)| cell * change).sum();
            assert!((product - slope).abs() < 1e-9, "{product} for {slope}");
        }
        assert_eq!(Information::default().step(), None);
    }
}
