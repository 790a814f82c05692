//! The chip's part (paper, section 5): some plies of plain alpha-beta without table and credit, then quiescence with
//! its checks, and the exchanges and hanging pieces that both use.

use pacioli::board::{Bitboard, Color, Move, Position, Role, Square, role_value};
use pacioli::eval::evaluate;
use pacioli::score::Score;

use super::software::{Event, Made, Transcription, is_null};

/// A chip search has exceeded its nodes.
#[derive(Debug)]
pub struct TooLarge;

/// Checks that one side may still try in a line of quiescence, besides captures.
#[derive(Copy, Clone)]
struct Checks {
    mating: i32,
    singular: i32,
}

impl Transcription<'_> {
    /// Fixed-depth search of `depth` plies; a line may be extended by `extensions` more. The move that raised alpha last
    /// remains as `chip_move`.
    pub fn chip(
        &mut self,
        p: &Position,
        mut alpha: Score,
        beta: Score,
        mut depth: i32,
        mut extensions: i32,
    ) -> Result<Score, TooLarge> {
        self.chip_move = None;
        if depth <= 0 && extensions > 0 && !p.in_check() && self.is_prolonged(p, beta) {
            (depth, extensions) = (1, extensions - 1);
            self.counts.note(Event::Prolonged);
        }
        if depth <= 0 {
            let checks = Checks { mating: self.params.chip_mating_checks, singular: self.params.chip_singular_checks };
            return self.quiescence(p, alpha, beta, 0, [checks; 2]);
        }
        self.enter()?;
        if let Some(score) = self.draw(p) {
            return Ok(score);
        }
        let (mut best, mut best_move) = (Score::mated(self.ply()), None);
        let moves = p.legal_moves();
        if moves.is_empty() {
            return Ok(self.no_moves(p));
        }
        for (index, &m) in moves.iter().enumerate() {
            let succ = p.play(m);
            let sc = self.below(p, Made::of(p, m, &succ), |search| {
                let mut scouted = None;
                if index > 0 && search.params.zero_window_scouts && !is_null(alpha, beta) {
                    scouted = Some(-search.chip(&succ, -alpha.next_up(), -alpha, depth - 1, extensions)?);
                }
                match scouted {
                    Some(sc) if sc <= alpha || sc >= beta => Ok(sc),
                    _ => Ok(-search.chip(&succ, -beta, -alpha, depth - 1, extensions)?),
                }
            })?;
            best = best.max(sc);
            if sc > alpha {
                (alpha, best_move) = (sc, Some(m));
            }
            if alpha >= beta {
                break;
            }
        }
        self.chip_move = best_move;
        Ok(best)
    }

    /// Whether the chip extends by a ply: after a pawn has reached the seventh rank, or if several pieces of the side
    /// to move hang, or a pinned one (section 5); in the second case, by the engine's rule, only if the evaluation is
    /// good enough to stand pat.
    fn is_prolonged(&self, p: &Position, beta: Score) -> bool {
        let mover = !p.turn();
        let seventh = mover.fold_wb(6, 1);
        let on_seventh = |m: Move| m.role() == Role::Pawn && usize::from(m.to().rank()) == seventh;
        if self.last_made().is_some_and(|made| made.m.is_some_and(on_seventh)) {
            return true;
        }
        if Score::cp(evaluate(p)) < beta {
            return false;
        }
        let hanging = hanging(p, p.turn());
        hanging.len() > 1 || hanging.iter().any(|&square| is_pinned(p, square))
    }

    /// Captures, queen promotions and evasions until the position is quiet, and the remaining checks: those of the side
    /// to move first.
    fn quiescence(
        &mut self,
        p: &Position,
        mut alpha: Score,
        beta: Score,
        plies: i32,
        checks: [Checks; 2],
    ) -> Result<Score, TooLarge> {
        self.enter()?;
        if let Some(score) = self.draw(p) {
            return Ok(score);
        }
        if plies >= self.params.quiescence_reach {
            return Ok(Score::cp(evaluate(p)));
        }
        let [mine, his] = checks;
        let in_check = p.in_check();
        let (mut best, mut standing) = (Score::mated(self.ply()), 0);
        if !in_check {
            standing = evaluate(p);
            best = Score::cp(standing);
            if best >= beta {
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        for &m in &p.legal_moves() {
            let changes_material =
                m.is_capture() && !m.is_promotion() || m.promotion().is_some_and(|role| role == Role::Queen);
            let is_quiet = !m.is_capture() && !m.is_promotion();
            let succ = p.play(m);
            let mut left = mine;
            if !in_check {
                if changes_material {
                    // Moves that cannot come near alpha are skipped, except promotions, and unless alpha is a mate.
                    let gain = standing + self.params.delta_margin + m.capture().map_or(0, role_value);
                    let is_hopeless = !m.is_promotion() && !alpha.is_decisive() && Score::cp(gain) <= alpha;
                    if is_hopeless && self.params.quiescence_delta {
                        continue;
                    }
                } else if is_quiet && succ.in_check() {
                    match spend(mine, &succ) {
                        Some(checks) => left = checks,
                        None => continue,
                    }
                } else {
                    continue;
                }
                if exchange(p, m) < 0 {
                    continue;
                }
                if is_quiet {
                    self.counts.note(Event::QuietCheck);
                }
            }
            let sc = self.below(p, Made::of(p, m, &succ), |search| {
                search.quiescence(&succ, -beta, -alpha, plies + 1, [his, left])
            });
            let sc = -sc?;
            best = best.max(sc);
            alpha = alpha.max(sc);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }
}

/// What is left after the check that `checked` is in; `None` if it may not be tried. Mating checks leave the king no
/// flight square, or are by an adjacent queen; singular ones leave it one square, or are by an adjacent rook, or the
/// checked side has a hanging piece (section 5). A mating check may use a singular check's allowance.
fn spend(left: Checks, checked: &Position) -> Option<Checks> {
    let board = checked.board();
    let king = board.king_of(checked.turn())?;
    let beside = |role| {
        let near = |square: Square| king.distance(square) == 1 && board.role_at(square) == Some(role);
        checked.checkers().into_iter().any(near)
    };
    let escapes = checked.legal_moves().iter().filter(|m| m.role() == Role::King).count();
    let is_mating = escapes == 0 || beside(Role::Queen);
    let is_singular = is_mating || escapes == 1 || beside(Role::Rook) || !hanging(checked, checked.turn()).is_empty();
    if is_mating && left.mating > 0 {
        return Some(Checks { mating: left.mating - 1, ..left });
    }
    (is_singular && left.singular > 0).then_some(Checks { singular: left.singular - 1, ..left })
}

/// The men of `color`, except its king, that are attacked and undefended, or attacked by something less valuable.
fn hanging(p: &Position, color: Color) -> Vec<Square> {
    let board = p.board();
    let hangs = |&square: &Square| {
        let value = |square| board.role_at(square).map_or(0, role_value);
        let attackers = board.attacks_to(square, !color, board.occupied());
        let is_guarded = board.attacks_to(square, color, board.occupied()).any();
        attackers.any() && !is_guarded || attackers.into_iter().any(|attacker| value(attacker) < value(square))
    };
    board
        .by_color(color)
        .into_iter()
        .filter(|&square| board.role_at(square) != Some(Role::King))
        .filter(hangs)
        .collect()
}

/// Whether the king of a man's side would be attacked by a slider without it.
fn is_pinned(p: &Position, square: Square) -> bool {
    let board = p.board();
    let Some(color) = board.color_at(square) else { return false };
    let Some(king) = board.king_of(color) else { return false };
    let attackers = |occupied| board.attacks_to(king, !color, occupied);
    let unmasked = attackers(board.occupied().without(square)) & !attackers(board.occupied());
    unmasked.any()
}

/// What a move wins by exchanges on its target, each side capturing with its least valuable man as long as that pays.
fn exchange(p: &Position, m: Move) -> i32 {
    let board = p.board();
    let (Some(from), to) = (m.from(), m.to()) else { return 0 };
    if matches!(m, Move::Castle { .. }) {
        return 0;
    }
    let mut occupied = board.occupied().without(from).with(to);
    if matches!(m, Move::EnPassant { .. }) {
        occupied = occupied.without(Square::from_coords(to.file(), from.rank()));
    }
    let arrives = m.promotion().unwrap_or(m.role());
    let won = m.capture().map_or(0, role_value) + role_value(arrives) - role_value(m.role());
    won - retake(p, !p.turn(), to, role_value(arrives), occupied)
}

/// What `side` wins by capturing on a square, or nothing if it had better not.
fn retake(p: &Position, side: Color, target: Square, standing: i32, occupied: Bitboard) -> i32 {
    let board = p.board();
    let attackers = |color| board.attacks_to(target, color, occupied) & occupied;
    let least = attackers(side).into_iter().min_by_key(|&square| board.role_at(square).map_or(0, |role| role as i32));
    let Some((from, role)) = least.and_then(|from| board.role_at(from).map(|role| (from, role))) else { return 0 };
    if role == Role::King && attackers(!side).any() {
        return 0;
    }
    (standing - retake(p, !side, target, role_value(role), occupied.without(from))).max(0)
}

/// Whether a move pushes a pawn to the sixth or seventh rank and no enemy pawn can stop it.
pub fn is_passed_push(p: &Position, m: Move) -> bool {
    if m.role() != Role::Pawn || m.is_promotion() {
        return false;
    }
    let (us, to) = (p.turn(), m.to());
    let rank = |square: Square| us.fold_wb(square.rank() as i32, 7 - square.rank() as i32);
    let stops = |square: Square| (square.file() as i32 - to.file() as i32).abs() <= 1 && rank(square) > rank(to);
    let theirs = p.board().pawns() & p.board().by_color(!us);
    (5..=6).contains(&rank(to)) && !theirs.into_iter().any(stops)
}
