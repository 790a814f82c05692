//! Independent engines that share out many small searches.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::engine::{Engine, Options};
use crate::params::Params;
use crate::tt::AllocationError;

/// Engines with tables of their own, one for each search that may run at a time.
pub struct Pool {
    engines: Vec<Engine>,
}

impl Pool {
    /// A pool of `jobs` engines, at least one; the error says when a table is smaller than asked for.
    pub fn new(options: &Options, jobs: usize) -> (Pool, Option<AllocationError>) {
        let mut warning = None;
        let engines = (0..jobs.max(1))
            .map(|_| {
                let (engine, error) = Engine::new(options.clone());
                warning = warning.take().or(error);
                engine
            })
            .collect();
        (Pool { engines }, warning)
    }

    /// The options of every engine.
    pub fn options(&self) -> Options {
        self.engines.first().map(|engine| engine.options().clone()).unwrap_or_default()
    }

    /// Does tasks `0..count` and returns their results in this order, whoever did them.
    ///
    /// `work` must prepare the engine itself, as another task may have used it before. `heard` gets each result in the
    /// caller's thread as soon as it is there.
    pub fn run<T: Send>(
        &mut self,
        count: usize,
        work: impl Fn(&mut Engine, usize) -> T + Sync,
        heard: &mut dyn FnMut(&T),
    ) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let (sender, results) = mpsc::channel();
        let mut slots: Vec<Option<T>> = (0..count).map(|_| None).collect();
        thread::scope(|scope| {
            for engine in &mut self.engines {
                let (next, work, sender) = (&next, &work, sender.clone());
                let tasks = move || {
                    let claim = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&task| task < count);
                    while let Some(task) = claim() {
                        // The receiver outlives the scope: a result always arrives.
                        let _ = sender.send((task, work(engine, task)));
                    }
                };
                // Where the system has no thread to give, the other engines do its share.
                let _ = thread::Builder::new().name("lab".to_owned()).spawn_scoped(scope, tasks);
            }
            // The loop below ends when the last sender is gone.
            drop(sender);
            for (task, result) in results {
                heard(&result);
                slots[task] = Some(result);
            }
        });
        // Nothing is left over unless not a single thread could be had.
        let mut finish = |task: usize, slot: Option<T>| {
            slot.or_else(|| {
                let result = work(self.engines.first_mut()?, task);
                heard(&result);
                Some(result)
            })
        };
        slots.into_iter().enumerate().filter_map(|(task, slot)| finish(task, slot)).collect()
    }
}

/// Gives an engine other tunables, for its next search.
pub(super) fn set_params(engine: &mut Engine, params: &Params) {
    if engine.options().params != *params {
        let options = Options { params: params.clone(), ..engine.options().clone() };
        // The size of the table stays, so that there is no warning to pass on.
        let _ = engine.set_options(options);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(jobs: usize) -> Pool {
        Pool::new(&Options { hash_mb: 1, ..Options::default() }, jobs).0
    }

    #[test]
    fn results_keep_the_order_of_the_tasks() {
        for jobs in [0, 1, 3] {
            let mut heard = 0;
            let squares = pool(jobs).run(20, |_, task| task * task, &mut |_| heard += 1);
            assert_eq!(squares, (0..20).map(|task| task * task).collect::<Vec<_>>());
            assert_eq!(heard, 20);
        }
        assert!(pool(2).run(0, |_, task| task, &mut |_| ()).is_empty());
    }

    #[test]
    fn tunables_are_changed_and_the_rest_stays() {
        let mut pool = pool(1);
        let params = Params { credit: false, ..Params::default() };
        set_params(&mut pool.engines[0], &params);
        assert_eq!(pool.options(), Options { hash_mb: 1, params, ..Options::default() });
    }
}
