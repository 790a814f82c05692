//! What a move gives up, as far as exchanges show: the evidence for a sacrifice before any search.
//!
//! A move offers material if the opponent has a capture after which the mover has lost more than he took, even when his
//! best exchange on any square is counted for him; and if another legal move would have kept the balance. So neither a
//! trade, nor an in-between move, nor a piece that was lost anyway is an offer. Whether it is sound, a search decides.

use std::fmt;

use serde::Serialize;

use crate::board::{Move, Position, Role, role_value, see};

/// An offer gives at least this much, in centipawns: a knight for two pawns is one, a pawn is not.
const GIVEN: i32 = 120;
/// A move that gives no more than this keeps the balance.
const KEPT: i32 = 50;

/// What a move gives for what.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Offer {
    /// The piece that the opponent may take.
    #[serde(serialize_with = "serialize_role")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub gives: Role,
    /// The piece that the move itself took.
    #[serde(serialize_with = "serialize_option", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub takes: Option<Role>,
    /// What the mover can win back at once, in centipawns.
    pub back: i32,
    /// What all this costs the mover, in centipawns.
    pub cost: i32,
}

impl Offer {
    /// What the move offers; `None` if it keeps the balance, or no move would.
    pub fn of(position: &Position, m: Move) -> Option<Offer> {
        let offer = Offer::worst(position, m).filter(|offer| offer.cost >= GIVEN)?;
        let keeps = |&other: &Move| Offer::worst(position, other).is_none_or(|offer| offer.cost <= KEPT);
        position.legal_moves().iter().filter(|&&other| other != m).any(keeps).then_some(offer)
    }

    /// The most that the opponent can win by answering the move with a capture.
    fn worst(position: &Position, m: Move) -> Option<Offer> {
        let after = position.play(m);
        let taken = m.capture().map_or(0, role_value) + promotion_gain(m);
        let offer = |&answer: &Move| {
            let gives = answer.capture()?;
            let next = after.play(answer);
            let back = next.legal_moves().iter().filter(|m| m.is_capture()).map(|&m| see(&next, m)).max();
            let back = back.unwrap_or(0).max(0);
            let cost = role_value(gives) + promotion_gain(answer) - taken - back;
            Some(Offer { gives, takes: m.capture(), back, cost })
        };
        after.legal_moves().iter().filter_map(offer).max_by_key(|offer| offer.cost)
    }
}

/// What a promotion adds.
fn promotion_gain(m: Move) -> i32 {
    m.promotion().map_or(0, |role| role_value(role) - role_value(Role::Pawn))
}

impl fmt::Display for Offer {
    /// `a knight for a pawn`; with what can be won back at once, in pawns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {}", name(self.gives))?;
        if let Some(takes) = self.takes {
            write!(f, " for a {}", name(takes))?;
        }
        if self.back > 0 {
            let pawns = f64::from(self.back) / f64::from(role_value(Role::Pawn));
            write!(f, " (with {pawns:.1} pawns back at once)")?;
        }
        Ok(())
    }
}

/// A piece in words.
const fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

fn serialize_role<S: serde::Serializer>(role: &Role, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name(*role))
}

fn serialize_option<S: serde::Serializer>(role: &Option<Role>, serializer: S) -> Result<S::Ok, S::Error> {
    role.map(name).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(fen: &str, san: &str) -> Option<String> {
        let position = Position::from_fen(fen, false).unwrap();
        Offer::of(&position, position.parse_san(san).unwrap()).map(|offer| offer.to_string())
    }

    #[test]
    fn deep_blues_knight_is_given_for_a_pawn() {
        let before = "r1bqkb1r/pp1n1pp1/2p1pn1p/6N1/3P4/3B1N2/PPP2PPP/R1BQK2R w KQkq - 0 8";
        assert_eq!(offer(before, "Nxe6").as_deref(), Some("a knight for a pawn"));
        assert_eq!(offer(before, "Ne4"), None);
        // The knight on g5 stays attacked.
        assert_eq!(offer(before, "O-O").as_deref(), Some("a knight (with 1.0 pawns back at once)"));
    }

    #[test]
    fn trades_and_moves_in_between_give_nothing() {
        // Queens are traded; the exchange comes back.
        assert_eq!(offer("3qk3/8/8/8/8/8/8/3QK2R w - - 0 1", "Qxd8+"), None);
        // White's queen has just been taken: a check first, and then the queen is taken back.
        let between = "3r2k1/5ppp/8/8/8/2B5/5PPP/3q1RK1 w - - 0 1";
        assert_eq!(offer(between, "Rxd1"), None);
        // A piece that is lost whatever happens.
        assert_eq!(offer("6k1/6b1/8/8/b7/8/8/N6K w - - 0 1", "Kg1"), None);
    }

    #[test]
    fn what_comes_back_at_once_is_said() {
        // Morphy's knight for two pawns, the second after the capture.
        let opera = "rn2kb1r/p3qppp/2p2n2/1p2p1B1/2B1P3/1QN5/PPP2PPP/R3K2R w KQkq - 0 10";
        assert_eq!(offer(opera, "Nxb5").as_deref(), Some("a knight for a pawn (with 1.0 pawns back at once)"));
        // All comes back.
        assert_eq!(offer("r3k3/8/8/8/8/8/8/Q2RK3 w - - 0 1", "Qxa8+"), None);
    }
}
