//! Laws of the search, checked on the tree as it is searched: every node is reported when it is entered and left, and
//! the search's claims are recomputed here.

use std::collections::{HashMap, HashSet};

use crate::common::{positions, positions_with, search_observed};
use pacioli::board::{Move, Position};
use pacioli::credit::{Award, Mechanism};
use pacioli::engine::Limits;
use pacioli::params::{Params, Profile, SecondSearch};
use pacioli::score::{Score, Window};
use pacioli::search::{Iteration, LedgerEntry, NodeEnd, NodeEntry, NodeExit, Observer, Purpose};
use pacioli::tt::Entry;
use pacioli::units::{Credit, Depth, Ply};

/// Stands for a line that ends with the game: no search would see more.
const TO_THE_END: Depth = 1000;

/// No credit on either side.
const EMPTY: (Credit, Credit) = (Credit::NONE, Credit::NONE);

/// A balance as stored in the table: six bits of sixteenths.
fn kept(balance: Credit) -> Credit {
    balance.min(Credit::sixteenths(63))
}

/// A node that is being searched.
struct Open {
    key: u64,
    window: Window,
    /// Requested plies down to quiescence.
    asked: Depth,
    is_leaf: bool,
    ledger: (Credit, Credit),
    m: Option<Move>,
    purpose: Purpose,
    /// For each move the fewest plies down to quiescence that its last search saw, and the ply it depended on.
    moves: Vec<(Option<Move>, Seen)>,
}

/// What a search has seen.
#[derive(Copy, Clone, Debug)]
struct Seen {
    /// Plies down to quiescence along the shortest line.
    plies: Depth,
    /// The ply of the path above that it depends on: only through the no-progress rule.
    leans_on: Ply,
}

/// What a node once stored.
struct Stored {
    ledger: (Credit, Credit),
    asked: Depth,
    seen: Seen,
}

/// Recomputes how deep every node was searched, and checks each use of the table against it.
#[derive(Default)]
struct Auditor {
    open: Vec<Open>,
    stored: HashMap<u64, Vec<Stored>>,
    tt_cutoffs: u32,
    no_progress: u32,
}

impl Auditor {
    /// What was seen by the search whose entry cut a node off.
    fn witness(&self, key: u64, entry: &Entry) -> Seen {
        let records = self.stored.get(&key).into_iter().flatten();
        // Of several searches of a position with these accounts any may have left the entry: an iteration that was
        // restrained claims less than was requested, and a deep entry survives a shallower one.
        let fits = |record: &&Stored| record.ledger == (entry.mine, entry.his) && record.asked >= entry.depth;
        let best = records.filter(fits).map(|record| record.seen).reduce(|a, b| if b.plies > a.plies { b } else { a });
        best.expect("an entry that no node stored")
    }

    /// What a completed node saw by its moves: by the one that caused the cutoff, or by all.
    fn by_moves(open: &Open, score: Score, ply: Ply) -> Seen {
        let mut moves = open.moves.iter().map(|&(_, seen)| Seen { plies: seen.plies + 1, ..seen });
        let seen = if score >= open.window.beta { moves.next_back() } else { moves.reduce(weaker) };
        let seen = seen.expect("a node without moves");
        Seen { leans_on: if seen.leans_on < ply { seen.leans_on } else { Ply::MAX }, ..seen }
    }
}

/// The smaller of both in every respect.
fn weaker(a: Seen, b: Seen) -> Seen {
    Seen { plies: a.plies.min(b.plies), leans_on: a.leans_on.min(b.leans_on) }
}

impl Observer for Auditor {
    fn wants_tree(&self) -> bool {
        true
    }

    fn node_entered(&mut self, entry: &NodeEntry<'_>) {
        self.open.push(Open {
            key: entry.position.key(),
            window: entry.window,
            asked: (entry.depth + entry.horizon).max(0),
            is_leaf: entry.depth <= 0,
            ledger: (kept(entry.cash_in.ledger.mine), kept(entry.cash_in.ledger.his)),
            m: entry.mv,
            purpose: entry.purpose,
            moves: Vec::new(),
        });
    }

    fn node_left(&mut self, &NodeExit { ply, score, end, .. }: &NodeExit) {
        let open = self.open.pop().unwrap();
        let Some(score) = score else { return };
        let free = |plies| Seen { plies, leans_on: Ply::MAX };
        let mut stores = |ledger, seen| {
            let record = Stored { ledger, asked: open.asked, seen };
            self.stored.entry(open.key).or_default().push(record);
        };
        let seen = match end {
            NodeEnd::Horizon(plies) => {
                stores(EMPTY, free(plies));
                free(plies)
            }
            NodeEnd::Moves => {
                let seen = Auditor::by_moves(&open, score, ply);
                if seen.leans_on == Ply::MAX {
                    stores(open.ledger, seen);
                    // The software has replaced a horizon search: its score is the leaf's result too.
                    if open.is_leaf {
                        stores(EMPTY, seen);
                    }
                }
                seen
            }
            NodeEnd::Table(entry) => {
                let seen = self.witness(open.key, &entry);
                assert!(seen.plies >= open.asked, "{} plies asked for, {} searched: {entry:?}", open.asked, seen.plies);
                // A leaf does not use its accounts.
                assert!(open.is_leaf || entry.mine >= open.ledger.0 && entry.his >= open.ledger.1, "{entry:?}");
                self.tt_cutoffs += 1;
                seen
            }
            NodeEnd::NoProgress(plies) => {
                self.no_progress += 1;
                Seen { plies: TO_THE_END, leans_on: ply - plies }
            }
            NodeEnd::Draw | NodeEnd::MateDistance | NodeEnd::Endgames | NodeEnd::NoMove => free(TO_THE_END),
            pruned => panic!("{pruned:?} in a profile without pruning"),
        };
        if open.purpose == Purpose::Play
            && let Some(parent) = self.open.last_mut()
        {
            parent.moves.retain(|(m, _)| *m != open.m);
            parent.moves.push((open.m, seen));
        }
    }
}

fn audit(position: &Position, params: &Params, depth: Depth) -> Auditor {
    let mut auditor = Auditor::default();
    search_observed(position, params, &Limits::to_depth(depth), &mut auditor);
    auditor
}

#[test]
fn no_entry_decides_a_node_that_was_searched_to_less() {
    let shipped = Profile::DeepBlue.params();
    // The same with iterations that are restrained as soon as they cost a little more.
    let cut = Params { growth_limit: 2, growth_floor: 1000, ..shipped.clone() };
    let mut tt_cutoffs = 0;
    for (params, count, men, depth) in [(&shipped, 300, 7, 5), (&shipped, 3, 6, 6), (&cut, 5, 7, 6)] {
        for position in positions_with(count, men) {
            tt_cutoffs += audit(&position, params, depth).tt_cutoffs;
        }
    }
    assert!(tt_cutoffs > 10_000, "only {tt_cutoffs} to look at");
}

#[test]
fn what_depends_on_the_path_is_not_stored() {
    // Blocked: the kings wander about, and most lines lead where a shorter one would have led.
    let params = Params { no_progress: true, ..Profile::DeepBlue.params() };
    let mut no_progress = 0;
    for fen in ["8/5k2/8/p1p1p1p1/P1P1P1P1/8/2K5/8 w - - 0 1", "8/8/1k6/1p1p1p2/1P1P1P2/1K6/8/8 b - - 0 1"] {
        let position = Position::from_fen(fen, false).unwrap();
        no_progress += audit(&position, &params, 11).no_progress;
    }
    assert!(no_progress > 100, "only {no_progress} to look at");
}

/// Keeps the lines of all iterations, completed or not.
#[derive(Default)]
struct Lines(Vec<Vec<Option<LedgerEntry>>>);

impl Observer for Lines {
    fn iteration(&mut self, iteration: &Iteration) {
        assert_eq!(iteration.ledger.len(), iteration.pv.len());
        self.0.push(iteration.ledger.clone());
    }

    fn bound(&mut self, iteration: &Iteration) {
        self.iteration(iteration);
    }
}

#[test]
fn every_balance_follows_from_the_one_before_by_the_entries_shown() {
    let mut lines = Lines::default();
    for (profile, count, depth) in [(Profile::Modern, 330, 6), (Profile::DeepBlue, 40, 4)] {
        for position in positions(count) {
            search_observed(&position, &profile.params(), &Limits::to_depth(depth), &mut lines);
        }
    }
    for position in positions_with(8, 8) {
        search_observed(&position, &Profile::DeepBlue.params(), &Limits::to_depth(6), &mut lines);
    }
    // Where a horizon search is pushed back into software, the accounts end before it all the same.
    let pushed_back = Params { horizon_ceiling: 100, ..Profile::DeepBlue.params() };
    for position in positions(40) {
        search_observed(&position, &pushed_back, &Limits::to_depth(4), &mut lines);
    }
    let mut cashed = 0;
    for line in &lines.0 {
        let software = line.iter().take_while(|entry| entry.is_some()).count();
        assert!(line[software..].iter().all(Option::is_none), "accounts below the horizon: {line:?}");
        // The accounts of the side to move and of the other side.
        let (mut mine, mut his) = (Credit::NONE, Credit::NONE);
        for entry in line.iter().flatten() {
            let paid = Credit::from_plies(entry.cashed);
            let award = entry.award.map_or(Credit::NONE, |award| award.credit);
            assert_eq!(entry.before, mine, "{line:?}");
            assert_eq!(entry.after, mine + award - paid, "{line:?}");
            assert_eq!(entry.given_up, paid.min(his), "{line:?}");
            assert_eq!(entry.other, his - entry.given_up, "{line:?}");
            (mine, his) = (entry.other, entry.after);
            cashed += entry.cashed;
        }
    }
    assert!(lines.0.len() > 2000 && cashed > 100, "{} lines, {cashed} plies", lines.0.len());
}

/// What must not depend on evidence that cannot matter: score, line and deepest ply of each iteration.
#[derive(Default, PartialEq, Debug)]
struct Shape(Vec<(Score, Vec<Move>, Ply)>);

impl Observer for Shape {
    fn iteration(&mut self, iteration: &Iteration) {
        self.0.push((iteration.score, iteration.pv.clone(), iteration.max_software));
    }
}

#[test]
fn leaving_out_awards_that_cannot_matter_leaves_the_tree_as_it_is() {
    // Without table and ordering only the awards can make a difference between the two searches.
    let params = Params {
        tt_cutoffs: false,
        credit_envelope: false,
        ordering: false,
        growth_control: false,
        ..Profile::DeepBlue.params()
    };
    // Horizon searches that are often pushed back into software, and second searches even of what is not cashed in.
    let pushed_back =
        Params { horizon_ceiling: 100, horizon_depth: 2, second_search: SecondSearch::Always, ..params.clone() };
    // Where nothing is kept it holds with table and ordering too.
    let modern = Profile::Modern.params();
    for (params, count, men, depth) in [(&params, 16, 7, 5), (&pushed_back, 24, 7, 4), (&modern, 16, 32, 9)] {
        for position in positions_with(count, men) {
            let shape = |credit_horizon_check| {
                let mut shape = Shape::default();
                let params = Params { credit_horizon_check, ..params.clone() };
                search_observed(&position, &params, &Limits::to_depth(depth), &mut shape);
                shape
            };
            assert_eq!(shape(true), shape(false), "{}", position.fen());
        }
    }
}

/// Awards and second searches of the mechanisms that earn after a move's first search.
#[derive(Default)]
struct Later {
    awards: u64,
    second_searches: u64,
}

impl Observer for Later {
    fn iteration(&mut self, iteration: &Iteration) {
        for mechanism in [Mechanism::Threat, Mechanism::MateThreat, Mechanism::PassedPawn] {
            let stats = iteration.credit.of(mechanism);
            self.awards += stats.awards;
            self.second_searches += stats.second_searches;
        }
    }
}

#[test]
fn what_is_neither_cashed_in_at_once_nor_kept_is_not_awarded() {
    let [modern, enveloped] = [false, true].map(|credit_envelope| {
        let params = Params { credit_envelope, ..Profile::Modern.params() };
        let mut later = Later::default();
        for position in positions(24) {
            search_observed(&position, &params, &Limits::to_depth(9), &mut later);
        }
        later
    });
    assert!(modern.second_searches > 0, "nothing to test");
    assert_eq!(modern.awards, modern.second_searches);
    assert!(enveloped.awards > enveloped.second_searches, "with the envelope awards wait");
}

/// Checks that awards of moves with which the software's depth ends are cashed in at once.
#[derive(Default)]
struct LastPly {
    /// Of the nodes that are being searched.
    depths: Vec<Depth>,
    is_due: bool,
    awards: u64,
}

impl Observer for LastPly {
    fn wants_tree(&self) -> bool {
        true
    }

    fn node_entered(&mut self, entry: &NodeEntry<'_>) {
        assert!(!self.is_due || entry.cash_in.plies > 0, "an award that cannot matter: {}", entry.position.fen());
        self.is_due = false;
        self.depths.push(entry.depth);
    }

    fn node_left(&mut self, _: &NodeExit) {
        self.depths.pop();
    }

    fn awarded(&mut self, _: Move, _: &Award) {
        if self.depths.last().is_some_and(|&depth| depth <= 1) {
            self.is_due = true;
            self.awards += 1;
        }
    }
}

#[test]
fn at_the_last_ply_nothing_is_awarded_but_what_is_cashed_in_at_once() {
    for (profile, depth) in [(Profile::Modern, 9), (Profile::DeepBlue, 5)] {
        let mut last = LastPly::default();
        for position in positions(24) {
            search_observed(&position, &profile.params(), &Limits::to_depth(depth), &mut last);
        }
        assert!(last.awards > 100, "only {} to look at", last.awards);
    }
}

/// Checks that a move's second search is not reduced: that it begins as deep as the first ones ended.
#[derive(Default)]
struct SecondSearches {
    /// For each node that is being searched, the depth asked for after its last move.
    last: Vec<Depth>,
    /// What a second search is about to be asked for.
    due: Option<Depth>,
    checked: u64,
}

impl Observer for SecondSearches {
    fn wants_tree(&self) -> bool {
        true
    }

    fn node_entered(&mut self, entry: &NodeEntry<'_>) {
        if let Some(due) = self.due.take() {
            assert!(entry.asked >= due, "{} plies after {due}: {}", entry.asked, entry.position.fen());
            self.checked += 1;
        }
        if entry.purpose == Purpose::Play
            && let Some(last) = self.last.last_mut()
        {
            *last = entry.asked;
        }
        self.last.push(0);
    }

    fn node_left(&mut self, _: &NodeExit) {
        self.last.pop();
    }

    fn second_search(&mut self) {
        self.due = self.last.last().copied();
    }
}

#[test]
fn what_has_earned_credit_is_searched_again_no_less_deep() {
    let mut second = SecondSearches::default();
    for position in positions(24) {
        search_observed(&position, &Profile::Modern.params(), &Limits::to_depth(9), &mut second);
    }
    assert!(second.checked > 30, "only {} to look at", second.checked);
}

/// A node that is being searched, in which there may be a way out.
struct Trouble {
    legal: usize,
    in_check: bool,
    beta: Score,
    searched: HashSet<Move>,
}

/// Checks that all moves of a node were searched that is left as lost, or that was in check.
#[derive(Default)]
struct WaysOut {
    open: Vec<Trouble>,
    lost: u32,
    in_check: u32,
}

impl Observer for WaysOut {
    fn wants_tree(&self) -> bool {
        true
    }

    fn node_entered(&mut self, entry: &NodeEntry<'_>) {
        if entry.purpose == Purpose::Play
            && let Some(parent) = self.open.last_mut()
        {
            parent.searched.extend(entry.mv);
        }
        let (legal, in_check) = (entry.position.legal_moves().len(), entry.position.in_check());
        self.open.push(Trouble { legal, in_check, beta: entry.window.beta, searched: HashSet::new() });
    }

    fn node_left(&mut self, &NodeExit { ply, score, end, .. }: &NodeExit) {
        let node = self.open.pop().unwrap();
        let Some(score) = score.filter(|&score| score < node.beta && matches!(end, NodeEnd::Moves)) else { return };
        if score.is_losing() || node.in_check {
            assert_eq!(node.searched.len(), node.legal, "ply {ply}: {score}, in check: {}", node.in_check);
            self.lost += u32::from(score.is_losing());
            self.in_check += u32::from(node.in_check);
        }
    }
}

#[test]
fn no_way_out_of_a_loss_or_a_check_is_pruned() {
    // Bad histories and lost exchanges are pruned among evasions, too.
    let params = Params { history_pruning: false, see_pruning: false, ..Profile::Modern.params() };
    let mut ways = WaysOut::default();
    for position in positions(24).into_iter().chain(positions_with(40, 8)) {
        search_observed(&position, &params, &Limits::to_depth(9), &mut ways);
    }
    assert!(ways.lost > 100 && ways.in_check > 1000, "only {} and {} to look at", ways.lost, ways.in_check);
}

#[test]
fn only_the_door_makes_moves_in_the_search() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let has = |calls: &[&str]| calls.iter().any(|call| text.contains(call));
        let makes_moves = has(&["path.enter(", "path.leave("]);
        let keeps_path = has(&["keys.push(&step", "keys.pop()", "evaluator.enter(", "evaluator.leave("]);
        assert_eq!(makes_moves, path.ends_with("door.rs"), "{}", path.display());
        assert_eq!(keeps_path, path.ends_with("path.rs"), "{}", path.display());
    }
}
