//! Fig. 1 of the paper, line by line, with what its text adds: the credit of earlier visits, generation of credit
//! (section 4.1), searches for evidence (section 6.1), and the chip's search at the end of the depth.

use pacioli::board::{Color, Move, Position};
use pacioli::credit::{Mechanism, Taper};
use pacioli::eval::evaluate;
use pacioli::params::{Evaluation, Params, SecondSearch};
use pacioli::score::{Draw, Score};

use super::chip::{TooLarge, is_passed_push};
use super::table::{Record, Records};

/// A move on the path, with what nodes below need to know about it.
#[derive(Copy, Clone)]
pub struct Made {
    /// `None` for a null move.
    pub m: Option<Move>,
    /// Whether it gives check or has earned credit.
    pub is_forcing: bool,
    /// Whether it pushes a passed pawn to the sixth or seventh rank.
    pub is_push: bool,
    /// The credit it was made with, in plies.
    award: f64,
}

impl Made {
    const PASS: Made = Made { m: None, is_forcing: false, is_push: false, award: 0.0 };

    /// A move of a position, and the position after it.
    pub fn of(p: &Position, m: Move, succ: &Position) -> Made {
        Made { m: Some(m), is_forcing: succ.in_check(), is_push: is_passed_push(p, m), award: 0.0 }
    }
}

/// Credit in plies, and its reason.
#[derive(Copy, Clone)]
struct Award {
    mechanism: Mechanism,
    credit: f64,
}

/// What passing leads to.
#[derive(Copy, Clone, PartialEq)]
enum Threat {
    None,
    Material,
    Mate,
}

/// Events that a comparison should meet at least once.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Event {
    /// A ply was cashed in.
    CashedPly,
    /// A ply was cashed in that the last move's credit alone would not have paid.
    DelayedPly,
    /// The good score did not hold in a second search.
    Failure,
    /// A table cutoff.
    Cutoff,
    /// A chip search became too large, and software replaced it.
    TooLarge,
    /// A chip search was extended by a ply.
    Prolonged,
    /// Quiescence tried a quiet check.
    QuietCheck,
    /// A position repeated.
    Repetition,
}

impl Event {
    pub const ALL: [Event; 8] = [
        Event::CashedPly,
        Event::DelayedPly,
        Event::Failure,
        Event::Cutoff,
        Event::TooLarge,
        Event::Prolonged,
        Event::QuietCheck,
        Event::Repetition,
    ];
}

/// How often events happened.
#[derive(Clone, Default)]
pub struct Counts {
    /// By mechanism; credit from earlier visits counts for the envelope.
    pub awards: [u64; Mechanism::ALL.len()],
    pub second_searches: [u64; Mechanism::ALL.len()],
    pub events: [u64; Event::ALL.len()],
    /// The deepest ply of the software, and the deepest of all.
    pub max_software: i32,
    pub max_combined: i32,
}

impl Counts {
    pub fn note(&mut self, event: Event) {
        self.events[event as usize] += 1;
    }

    pub fn add(&mut self, other: &Counts) {
        let add = |sums: &mut [u64], more: &[u64]| sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        add(&mut self.awards, &other.awards);
        add(&mut self.second_searches, &other.second_searches);
        add(&mut self.events, &other.events);
        self.max_software = self.max_software.max(other.max_software);
        self.max_combined = self.max_combined.max(other.max_combined);
    }
}

/// One iteration's result.
pub struct IterationFound {
    pub score: Score,
    /// Nodes since the start of the search.
    pub nodes: u64,
    pub counts: Counts,
}

/// A node of the software, after cash-in.
struct Node<'p> {
    p: &'p Position,
    alpha: Score,
    beta: Score,
    depth: i32,
    my_credit: f64,
    his_credit: f64,
    /// What passing leads to, once it is known.
    threat: Option<Threat>,
}

/// The search as in the paper.
pub struct Transcription<'a> {
    pub params: &'a Params,
    taper: Taper,
    /// Plies of the chip.
    chip_depth: i32,
    /// Remaining nodes of the running chip search.
    chip_nodes: Option<u64>,
    /// The best move of the last chip search, if one raised alpha.
    pub chip_move: Option<Move>,
    /// The side that wants repetitions.
    striver: Color,
    /// The positions from the root on, each with the move made there.
    path: Vec<(Position, Made)>,
    best_at_root: Option<Move>,
    pub records: Records,
    nodes: u64,
    pub counts: Counts,
}

/// Whether no score fits between the two.
pub fn is_null(alpha: Score, beta: Score) -> bool {
    beta == alpha.next_up()
}

impl<'a> Transcription<'a> {
    /// Searches iteration after iteration: "for a given iteration i, the software is assigned i - 4 ply" (section 4.2).
    pub fn iterate(root: &Position, params: &'a Params, last: i32) -> (Transcription<'a>, Vec<IterationFound>) {
        let mut search = Transcription {
            params,
            taper: Taper::new(params, 1),
            chip_depth: 0,
            chip_nodes: None,
            chip_move: None,
            striver: !root.turn(),
            path: Vec::new(),
            best_at_root: None,
            records: Records::default(),
            nodes: 0,
            counts: Counts::default(),
        };
        let mut found = Vec::new();
        search.choose_striver(root, evaluate(root));
        for iteration in 1..=last {
            let software = (iteration - params.horizon_depth).max(1);
            search.chip_depth = params.horizon_depth.min(iteration - 1);
            search.taper = Taper::new(params, software);
            search.counts = Counts::default();
            let score = search.dc(root, -Score::INFINITY, Score::INFINITY, software, 0.0, 0.0, true);
            found.push(IterationFound { score, nodes: search.nodes, counts: search.counts.clone() });
            search.choose_striver(root, score.main());
            // There is no shorter mate to find.
            if score.mate_distance().is_some_and(|plies| plies <= iteration) {
                break;
            }
        }
        (search, found)
    }

    /// The worse side wants a draw by repetition. The paper only says "if the machine is striving for a draw" (section
    /// 4.3), and adjusts the score of draws by the opponent and the match ("Contempt" in its appendix A).
    fn choose_striver(&mut self, root: &Position, centipawns: i32) {
        match centipawns {
            0 => {}
            1.. => self.striver = !root.turn(),
            _ => self.striver = root.turn(),
        }
    }

    pub fn ply(&self) -> i32 {
        self.path.len() as i32
    }

    pub fn last_made(&self) -> Option<&Made> {
        self.path.last().map(|(_, made)| made)
    }

    /// Runs a search in the position after a move of `p`.
    pub fn below<T>(&mut self, p: &Position, made: Made, search: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push((p.clone(), made));
        let found = search(self);
        self.path.pop();
        found
    }

    /// Counts a node.
    pub fn enter(&mut self) -> Result<(), TooLarge> {
        if let Some(left) = &mut self.chip_nodes {
            *left = left.checked_sub(1).ok_or(TooLarge)?;
        }
        self.nodes += 1;
        self.counts.max_combined = self.counts.max_combined.max(self.ply());
        Ok(())
    }

    /// A draw known without searching: dead material, fifty moves, or a repetition below the root.
    pub fn draw(&mut self, p: &Position) -> Option<Score> {
        let is_mate = || p.in_check() && p.legal_moves().is_empty();
        if p.is_dead() || p.halfmoves() >= 100 && !is_mate() {
            return Some(theoretical(p));
        }
        let ply = self.path.len();
        let first = ply.saturating_sub(p.reversible_plies() as usize).max(1);
        let repeats = (first..ply).rev().skip(3).step_by(2).any(|earlier| self.path[earlier].0.key() == p.key());
        if !repeats || !self.params.repetition_in_search {
            return None;
        }
        self.counts.note(Event::Repetition);
        Some(Score::draw(Draw::Repetition { ply: ply as i32, striving: self.striver == p.turn() }))
    }

    /// The score if the side to move has no move.
    pub fn no_moves(&self, p: &Position) -> Score {
        if p.in_check() { Score::mated(self.ply()) } else { theoretical(p) }
    }

    /// `int DC(position p, int alpha, int beta, int depthToGo, float myCredit, float hisCredit)`; `is_pv` if the exact
    /// score may matter.
    #[allow(clippy::too_many_arguments)]
    fn dc(
        &mut self,
        p: &Position,
        alpha: Score,
        beta: Score,
        mut depth_to_go: i32,
        mut my_credit: f64,
        mut his_credit: f64,
        is_pv: bool,
    ) -> Score {
        let credit_limit = self.credit_limit();
        if his_credit >= credit_limit {
            let extension_amount = (his_credit - credit_limit).ceil();
            his_credit -= extension_amount;
            my_credit = (my_credit - extension_amount).max(0.0);
            depth_to_go += extension_amount as i32;
            self.counts.events[Event::CashedPly as usize] += extension_amount as u64;
            let award = self.last_made().map_or(0.0, |made| made.award);
            let at_once = (award - credit_limit).ceil().max(0.0);
            self.counts.events[Event::DelayedPly as usize] += (extension_amount - at_once) as u64;
        }
        let node = Node { p, alpha, beta, depth: depth_to_go, my_credit, his_credit, threat: None };
        self.after_cash_in(node, is_pv)
    }

    /// The figure from line 21 on.
    fn after_cash_in(&mut self, mut node: Node<'_>, is_pv: bool) -> Score {
        let (p, ply) = (node.p, self.ply());
        if node.depth <= 0 {
            self.counts.max_software = self.counts.max_software.max(ply);
            return self.evaluated_by_chip(&node, is_pv);
        }
        self.enter().expect("software has no ceiling");
        // "Details such as checkmate and stalemate have also been glossed over."
        if ply > 0 {
            if let Some(score) = self.draw(p) {
                return score;
            }
            // No line through here mates sooner than with the next move.
            if self.params.mate_distance_pruning {
                node.alpha = node.alpha.max(Score::mated(ply));
                node.beta = node.beta.min(Score::mating(ply + 1));
                if node.alpha >= node.beta {
                    return node.alpha;
                }
            }
        }
        let record = self.records.get(p.key());
        let accounts = (node.my_credit, node.his_credit);
        if ply > 0
            && let Some(score) =
                self.cutoff(record, (node.alpha, node.beta), node.depth + self.chip_depth, accounts, is_pv)
        {
            return score;
        }
        let known_move = if ply == 0 { self.best_at_root } else { None }.or(record.and_then(|record| record.best_move));
        let (score, best_move) = self.successors(&mut node, record, known_move);
        let (best_move, credit) = match best_move {
            Some((m, credit)) => (Some(m), credit),
            None => (None, 0.0),
        };
        if ply == 0 {
            self.best_at_root = best_move;
        }
        if !p.legal_moves().is_empty() {
            let depth = node.depth + self.chip_depth;
            let record = Record::new(score, (node.alpha, node.beta), depth, ply);
            let (my_credit, his_credit) = accounts;
            self.records.store(p.key(), Record { best_move, credit, my_credit, his_credit, ..record });
        }
        score
    }

    /// Lines 23 to 36: the node's score, and the best move with the credit that the table keeps for it. A score below
    /// alpha is returned as is, so that a mate that passing allows is recognised; the figure returns alpha.
    fn successors(
        &mut self,
        node: &mut Node<'_>,
        record: Option<Record>,
        known_move: Option<Move>,
    ) -> (Score, Option<(Move, f64)>) {
        let p = node.p;
        let moves = p.legal_moves();
        if moves.is_empty() {
            return (self.no_moves(p), None);
        }
        let mut best_score = -Score::INFINITY;
        let mut best_move = None;
        let mut alpha = node.alpha;
        for (index, &m) in moves.iter().enumerate() {
            let succ = p.play(m);
            let mut made = Made::of(p, m, &succ);
            // "Search with at least that amount of credit" as earlier visits generated.
            let mut lasting = if known_move == Some(m) { self.kept_credit(record, m) } else { 0.0 };
            // It stays in the table where it cannot matter, too.
            let kept = if self.can_matter(node, lasting) { lasting } else { 0.0 };
            if kept > 0.0 {
                self.counts.awards[Mechanism::Envelope as usize] += 1;
                made.is_forcing = true;
            }
            let bar = alpha.max(best_score);
            let mut sc = self.successor(node, alpha, index, &succ, made, kept);
            if sc > bar
                && let Some(new) = self.generate_credit(node, m, sc.min(node.beta))
            {
                lasting = lasting.max(new.credit);
                if new.credit > kept {
                    self.counts.awards[new.mechanism as usize] += 1;
                    made.is_forcing = true;
                    if self.searches_again(node.my_credit + new.credit) {
                        self.counts.second_searches[new.mechanism as usize] += 1;
                        sc = self.successor(node, alpha, index, &succ, made, new.credit);
                        if sc <= bar {
                            self.counts.note(Event::Failure);
                        }
                    }
                }
            }
            if sc > best_score {
                best_score = sc;
                if sc > alpha {
                    best_move = Some((m, lasting));
                    if sc >= node.beta {
                        break;
                    }
                    if self.params.raised_alpha {
                        alpha = sc;
                    }
                }
            }
        }
        (best_score, best_move)
    }

    /// Line 26, and line 30: one search of a successor. After the first move a null window asks whether it is worth an
    /// open one.
    fn successor(
        &mut self,
        node: &Node<'_>,
        alpha: Score,
        index: usize,
        succ: &Position,
        made: Made,
        new_credit: f64,
    ) -> Score {
        let &Node { p, beta, depth, my_credit, his_credit, .. } = node;
        let credit = my_credit + new_credit;
        self.below(p, Made { award: new_credit, ..made }, |search| {
            let scouts = search.params.zero_window_scouts && index > 0;
            if scouts && !is_null(alpha, beta) {
                let sc = -search.dc(succ, -alpha.next_up(), -alpha, depth - 1, his_credit, credit, false);
                if sc <= alpha || sc >= beta {
                    return sc;
                }
            }
            -search.dc(succ, -beta, -alpha, depth - 1, his_credit, credit, !is_null(alpha, beta))
        })
    }

    /// Line 21, `Evaluate(p)`: the chip's search. Its result is stored like the software's own scores, with its move if
    /// none is known; a search that exceeds its nodes is pushed back into software (section 6.2), which then, by the
    /// engine's rule, has one ply more and the chip one less. The accounts end here either way.
    fn evaluated_by_chip(&mut self, node: &Node<'_>, is_pv: bool) -> Score {
        let &Node { p, alpha, beta, .. } = node;
        let (ply, depth) = (self.ply(), self.chip_depth);
        let keeps = self.params.horizon_verdicts && depth > 0 && self.draw(p).is_none();
        if keeps && let Some(score) = self.cutoff(self.records.get(p.key()), (alpha, beta), depth, (0.0, 0.0), is_pv) {
            return score;
        }
        let ceiling = self.params.horizon_ceiling as u64;
        self.chip_nodes = (ceiling > 0 && depth > 0).then_some(ceiling);
        let knows_move = self.records.get(p.key()).is_some_and(|record| record.best_move.is_some());
        let found = self.chip(p, alpha, beta, depth, self.params.horizon_extensions);
        let chip_move = self.chip_move.filter(|_| found.is_ok());
        self.chip_nodes = None;
        let score = found.unwrap_or_else(|_| {
            self.counts.note(Event::TooLarge);
            self.chip_depth = depth - 1;
            let score =
                self.after_cash_in(Node { depth: 1, my_credit: 0.0, his_credit: 0.0, threat: None, ..*node }, is_pv);
            self.chip_depth = depth;
            score
        });
        if keeps {
            let best_move = chip_move.filter(|_| self.params.horizon_moves && !knows_move);
            self.records.store(p.key(), Record { best_move, ..Record::new(score, (alpha, beta), depth, ply) });
        }
        score
    }

    /// A record's score if it cuts off: searched at least as deep, and with at least as much in both accounts.
    fn cutoff(
        &mut self,
        record: Option<Record>,
        window: (Score, Score),
        depth: i32,
        (my_credit, his_credit): (f64, f64),
        is_pv: bool,
    ) -> Option<Score> {
        let record = record.filter(|_| self.params.tt_cutoffs && !(is_pv && self.params.zero_window_scouts))?;
        let covers = record.depth >= depth && record.my_credit >= my_credit && record.his_credit >= his_credit;
        let score = record.decides(window, self.ply()).filter(|_| covers)?;
        self.counts.note(Event::Cutoff);
        Some(score)
    }

    fn credit_limit(&self) -> f64 {
        f64::from(self.params.credit_limit) / 16.0
    }

    /// An award in plies at this ply: "positions near the root of the tree generally receiving more credit"
    /// (section 4.1).
    fn amount(&self, near: i32) -> f64 {
        self.taper.scale(near, self.ply()).plies()
    }

    /// The credit that a record keeps for a move.
    fn kept_credit(&self, record: Option<Record>, m: Move) -> f64 {
        let in_reach = self.amount(self.params.singular_credit) > 0.0;
        record.filter(|record| in_reach && record.best_move == Some(m)).map_or(0.0, |record| record.credit)
    }

    /// Whether a balance is worth a second search: as printed always, otherwise only if the successor cashes it in.
    fn searches_again(&self, balance: f64) -> bool {
        match self.params.second_search {
            SecondSearch::Never => false,
            SecondSearch::CashedAtOnce => balance > self.credit_limit(),
            SecondSearch::Always => true,
        }
    }

    /// Whether credit can matter: the successor cashes it in, or a later node may before the chip takes over.
    fn can_matter(&self, node: &Node<'_>, credit: f64) -> bool {
        let is_in_time = node.my_credit + credit > self.credit_limit() || node.depth > 1;
        credit > 0.0 && (is_in_time || !self.params.credit_horizon_check)
    }

    /// `GenerateCredit()`: the largest award of all mechanisms, the cheap ones first. `sc` is capped at beta: anything
    /// beyond was not searched for.
    fn generate_credit(&mut self, node: &mut Node<'_>, m: Move, sc: Score) -> Option<Award> {
        let params = self.params;
        let largest = [params.singular_credit, params.forced_reply_credit].into_iter().max().unwrap_or(0);
        if !self.can_matter(node, self.amount(largest)) {
            return None;
        }
        let mut award = self.cheap_credit(node, m);
        // A side that is lost anyway has nothing to compare.
        if !sc.is_losing() {
            let most = self.amount(params.mate_threat_credit);
            if most > credit_of(award) && self.can_matter(node, most) {
                award = larger(award, self.threat_credit(node, sc));
            }
            // Only what would earn more than that and could matter is searched for: binary moves are not counted if
            // only singular ones could matter.
            let amounts =
                [params.singular_credit, params.binary_credit, params.trinary_credit].map(|near| self.amount(near));
            let of_use =
                amounts.iter().take_while(|&&amount| amount > credit_of(award) && self.can_matter(node, amount));
            let arity = of_use.count().min(params.singular_arity as usize);
            if arity > 0 {
                award = larger(award, self.singular_credit(node, m, sc, arity));
            }
        }
        award.filter(|award| self.can_matter(node, award.credit))
    }

    /// Check evasion, absolute singular, passed pawns and influence: they need no search.
    fn cheap_credit(&self, node: &Node<'_>, m: Move) -> Option<Award> {
        let (p, params) = (node.p, self.params);
        let award = |holds: bool, mechanism, near| {
            holds.then(|| Award { mechanism, credit: self.amount(near) }).filter(|award| award.credit > 0.0)
        };
        let last = self.last_made();
        let is_pushed = is_passed_push(p, m) || last.is_some_and(|made| made.is_push);
        let is_reply_to_move = last.is_some_and(|made| made.m.is_some());
        let before = self.path.len().checked_sub(2).map(|two_plies_ago| &self.path[two_plies_ago].0);
        let is_enabled = is_reply_to_move && before.is_some_and(|before| is_enabled(m, before));
        [
            award(p.in_check(), Mechanism::CheckEvasion, params.check_evasion_credit),
            award(p.legal_moves().len() == 1, Mechanism::ForcedReply, params.forced_reply_credit),
            award(is_pushed, Mechanism::PassedPawn, params.passed_pawn_credit),
            award(is_enabled, Mechanism::Influence, params.influence_credit),
        ]
        .into_iter()
        .fold(None, larger)
    }

    /// "If one side passes, then loses quickly, that side is deemed to have a pending threat against it"; "recent
    /// ancestors of a given position" must "have forcing characteristics" (section 4.1). Passing is tried once for a node.
    fn threat_credit(&mut self, node: &mut Node<'_>, sc: Score) -> Option<Award> {
        let recent = self.path.iter().rev().take(self.params.threat_ancestors as usize);
        let passed = node.p.play_null().filter(|_| recent.clone().any(|(_, made)| made.is_forcing))?;
        let bound = sc.offset(-self.params.threat_margin);
        let depth = self.reduced(node.depth) - 1;
        let threat = match node.threat {
            Some(threat) => threat,
            None => {
                let score = self.below(node.p, Made::PASS, |search| search.evidence(&passed, bound, depth));
                match score {
                    score if score >= bound => Threat::None,
                    score if score.is_mate() => Threat::Mate,
                    _ => Threat::Material,
                }
            }
        };
        node.threat = Some(threat);
        let (mechanism, near) = match threat {
            Threat::None => return None,
            Threat::Material => (Mechanism::Threat, self.params.threat_credit),
            Threat::Mate => (Mechanism::MateThreat, self.params.mate_threat_credit),
        };
        Some(Award { mechanism, credit: self.amount(near) })
    }

    /// Singular, binary, trinary: how many other moves come within a margin of this one. Evidence is gathered by offset
    /// searches of full or reduced depth (section 6.1): full if the window is open.
    fn singular_credit(&mut self, node: &Node<'_>, m: Move, sc: Score, arity: usize) -> Option<Award> {
        let (p, params) = (node.p, self.params);
        if node.depth < params.singular_min_depth {
            return None;
        }
        let bound = sc.offset(-params.singular_margin_base - params.singular_margin * node.depth);
        let is_full = params.singular_full_on_pv && !is_null(node.alpha, node.beta);
        let depth = if is_full { node.depth } else { self.reduced(node.depth) };
        let moves = p.legal_moves();
        let mut good = 0;
        for &other in moves.iter().filter(|&&other| other != m) {
            let succ = p.play(other);
            let made = Made::of(p, other, &succ);
            let score = self.below(p, made, |search| search.evidence(&succ, bound, depth - 1));
            good += usize::from(score >= bound);
            if good == arity {
                return None;
            }
        }
        let (mechanism, near) = match good {
            _ if moves.len() == 1 => return None,
            0 => (Mechanism::Singular, params.singular_credit),
            1 => (Mechanism::Binary, params.binary_credit),
            _ => (Mechanism::Trinary, params.trinary_credit),
        };
        Some(Award { mechanism, credit: self.amount(near) })
    }

    /// Half of what remains down to quiescence, in plies of software; below zero the chip has fewer.
    fn reduced(&self, depth: i32) -> i32 {
        (depth + self.chip_depth) / 2 - self.chip_depth
    }

    /// Whether the side that has just moved, or passed, reaches `bound`: a search with empty accounts, from its view.
    fn evidence(&mut self, succ: &Position, bound: Score, depth: i32) -> Score {
        let below = Score::from_bits(bound.to_bits() - 1);
        if depth >= 0 {
            return -self.dc(succ, -bound, -below, depth, 0.0, 0.0, false);
        }
        let score = self.chip(succ, -bound, -below, self.chip_depth + depth, self.params.horizon_extensions);
        -score.expect("no ceiling is set")
    }
}

/// The score of a theoretical draw (section 4.3).
fn theoretical(p: &Position) -> Score {
    Score::draw(Draw::Theoretical { static_eval: crate::common::evaluate_drawn(p, Evaluation::Classical) })
}

fn credit_of(award: Option<Award>) -> f64 {
    award.map_or(0.0, |award| award.credit)
}

/// The larger award, the earlier one if equal.
fn larger(a: Option<Award>, b: Option<Award>) -> Option<Award> {
    if credit_of(b) > credit_of(a) { b } else { a }
}

/// Influence: the man stood there, and "was not available the previous time" to make the move (section 4.1).
fn is_enabled(m: Move, before: &Position) -> bool {
    let stood = m.from().is_some_and(|from| before.board().piece_at(from) == Some(m.role().of(before.turn())));
    stood && !before.legal_moves().contains(&m)
}
