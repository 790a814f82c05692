//! Independent workers that share many small tasks: engines with their own tables, or other programs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::Provenance;
use crate::engine::{self, Engine, Limits, Options, Shortage};

/// Workers, one for each parallel task.
pub struct Pool<W = Engine> {
    workers: Vec<W>,
}

impl Pool {
    /// A pool of `jobs` engines, at least one, or as many as there is memory for: the first takes what there is, and
    /// another is only made if it would not be smaller or leave too little for the rest.
    pub fn new(options: &Options, jobs: usize) -> (Pool, Option<Shortage>) {
        let (first, warning) = Engine::new(options.clone());
        let mut shortage = warning.unwrap_or_default();
        let mut workers = vec![first];
        while workers.len() < jobs && engine::has_room_for(workers.len() + 1) {
            let (engine, warning) = Engine::new(options.clone());
            if warning.is_some() {
                break;
            }
            workers.push(engine);
        }
        // The last one was made while there was room; it is kept only if enough is left.
        while workers.len() > 1 && !engine::has_room_for(workers.len()) {
            workers.pop();
        }
        if workers.len() < jobs {
            shortage.jobs = Some((jobs, workers.len()));
        }
        (Pool { workers }, shortage.noted())
    }

    /// The engines' settings for searches with these limits.
    pub fn provenance(&self, limits: &Limits) -> Provenance {
        self.workers.first().map(|engine| Provenance::of_engine(engine, limits)).unwrap_or_default()
    }

    /// The options of every engine.
    pub fn options(&self) -> Options {
        self.workers.first().map(|engine| engine.options().clone()).unwrap_or_default()
    }
}

impl<W: Send> Pool<W> {
    /// A pool of these workers.
    pub fn of(workers: Vec<W>) -> Pool<W> {
        Pool { workers }
    }

    /// The workers.
    pub fn workers(&self) -> &[W] {
        &self.workers
    }

    /// The workers, to be put in another kind of pool.
    pub fn into_workers(self) -> Vec<W> {
        self.workers
    }

    /// Does tasks `0..count` and returns their results in this order.
    ///
    /// `work` must prepare the worker itself, since another task may have used it before. `progress` gets each result
    /// in the caller's thread as soon as it is available.
    pub fn run<T: Send>(
        &mut self,
        count: usize,
        work: impl Fn(&mut W, usize) -> T + Sync,
        progress: &mut dyn FnMut(&T),
    ) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let (sender, results) = mpsc::channel();
        let mut slots: Vec<Option<T>> = (0..count).map(|_| None).collect();
        thread::scope(|scope| {
            for worker in &mut self.workers {
                let (next, work, sender) = (&next, &work, sender.clone());
                let tasks = move || {
                    let claim = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&task| task < count);
                    while let Some(task) = claim() {
                        // The receiver outlives the scope: a result always arrives.
                        let _ = sender.send((task, work(worker, task)));
                    }
                };
                // If the system cannot start a thread, the other workers do its share.
                let _ = engine::spawn_scoped(scope, "job", tasks);
            }
            // The loop below ends when the last sender is dropped.
            drop(sender);
            for (task, result) in results {
                progress(&result);
                slots[task] = Some(result);
            }
        });
        // Nothing is left over unless no thread at all could be started.
        let mut finish = |task: usize, slot: Option<T>| {
            slot.or_else(|| {
                let result = work(self.workers.first_mut()?, task);
                progress(&result);
                Some(result)
            })
        };
        slots.into_iter().enumerate().filter_map(|(task, slot)| finish(task, slot)).collect()
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
            let mut progress = 0;
            let squares = pool(jobs).run(20, |_, task| task * task, &mut |_| progress += 1);
            assert_eq!(squares, (0..20).map(|task| task * task).collect::<Vec<_>>());
            assert_eq!(progress, 20);
        }
        assert!(pool(2).run(0, |_, task| task, &mut |_| ()).is_empty());
    }
}
