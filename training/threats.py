"""The network's threats: inputs that go straight to the output. What they are is said in src/eval/nnue/threats.rs.

An input counts how many pieces of one kind are attacked by at least one piece of another kind, by how they are
defended: all attacks of the side to move, then all of the other side. After them come, likewise, the squares from which
a piece can give check without being captured.
"""

import chess
import numpy as np
from numba import njit, prange

from records import KING, MAX_PIECES, THEIRS

ROLES = 6
#: A king is no victim.
VICTIMS = 5
#: Not at all, not by a pawn, by a pawn.
DEFENCES = 3
#: Knight, bishop, rook and queen.
CHECKERS = 4
#: One side's attacks: by role of the victim, by its defence, and by role of the attacker.
ATTACKS = VICTIMS * DEFENCES * ROLES
THREATS = 2 * (ATTACKS + CHECKERS)

PAWN, KNIGHT, BISHOP, ROOK, QUEEN = range(5)
#: Steps of files and ranks: a rook's directions, then a bishop's; a queen has both.
DIRECTIONS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)])
#: Which of them a role has: from, to.
SLIDES = np.array([(0, 0), (0, 0), (4, 8), (0, 4), (0, 8), (0, 0)])
NOTHING = np.uint64(0)
ONE = np.uint64(1)


def _steps() -> np.ndarray:
    """Squares that pawns, knights and kings attack: for the side to move, whose pawns go up, and the other."""
    steps = np.zeros((2, ROLES, 64), np.uint64)
    for side, color in enumerate((chess.WHITE, chess.BLACK)):
        for square in chess.SQUARES:
            steps[side, PAWN, square] = chess.BB_PAWN_ATTACKS[color][square]
            steps[side, KNIGHT, square] = chess.BB_KNIGHT_ATTACKS[square]
            steps[side, KING, square] = chess.BB_KING_ATTACKS[square]
    return steps


STEPS = _steps()


def counts(records: np.ndarray) -> np.ndarray:
    """The inputs of every position: [positions][THREATS]."""
    found = np.zeros((len(records), THREATS), np.float32)
    _count_all(records, STEPS, DIRECTIONS, SLIDES, found)
    return found


def sums(counted: np.ndarray, weights: np.ndarray, places: np.ndarray) -> np.ndarray:
    """What the threats add to the outputs, with the weights of each position's output bucket."""
    return np.einsum("ij,ij->i", counted, weights[places])


def slopes(counted: np.ndarray, slope: np.ndarray, places: np.ndarray, buckets: int) -> np.ndarray:
    """The gradient of the weights, from the slopes of the outputs."""
    return np.stack([slope[places == bucket] @ counted[places == bucket] for bucket in range(buckets)])


def plain_counts(board: chess.Board) -> np.ndarray:
    """The inputs of one position, computed plainly: the reference for faster code."""
    found = np.zeros(THREATS, np.int64)
    for side, color in enumerate((board.turn, not board.turn)):
        for victim in range(VICTIMS):
            for square in board.pieces(victim + chess.PAWN, not color):
                defenders = {board.piece_type_at(by) for by in board.attackers(not color, square)}
                defence = 2 if chess.PAWN in defenders else min(len(defenders), 1)
                for attacker in {board.piece_type_at(by) for by in board.attackers(color, square)}:
                    role = attacker - chess.PAWN
                    found[side * ATTACKS + (victim * DEFENCES + defence) * ROLES + role] += 1
        king = board.king(not color)
        for checker in range(CHECKERS):
            role = chess.KNIGHT + checker
            for square in chess.SQUARES:
                piece = board.piece_at(square)
                if (piece is not None and piece.color == color) or board.attackers(not color, square):
                    continue
                if all(board.piece_type_at(by) != role for by in board.attackers(color, square)):
                    continue
                there = board.copy(stack=False)
                there.set_piece_at(square, chess.Piece(role, color))
                found[2 * ATTACKS + side * CHECKERS + checker] += king in there.attacks(square)
    return found


@njit(cache=True)
def _reach(square, role, occupied, step, directions, slides):
    """The squares that a piece attacks."""
    reach = step[role, square]
    first, last = slides[role]
    for direction in range(first, last):
        file, rank = square & 7, square >> 3
        while True:
            file += directions[direction, 0]
            rank += directions[direction, 1]
            if not (0 <= file < 8 and 0 <= rank < 8):
                break
            bit = ONE << np.uint64(8 * rank + file)
            reach |= bit
            if occupied & bit:
                break
    return reach


@njit(cache=True)
def _size(squares):
    """How many squares a set has."""
    size = 0
    while squares:
        squares &= squares - ONE
        size += 1
    return size


@njit(cache=True)
def _count(record, steps, directions, slides, found):
    pieces = np.zeros((2, ROLES), np.uint64)
    attacked = np.zeros((2, ROLES), np.uint64)
    kings = np.zeros(2, np.int64)
    squares = np.empty(MAX_PIECES, np.int64)
    count = 0
    for square in range(64):
        if (record.occupied >> np.uint64(square)) & ONE:
            piece = (record.pieces[count >> 1] >> (4 * (count & 1))) & 15
            pieces[piece // THEIRS, piece & 7] |= ONE << np.uint64(square)
            if piece & 7 == KING:
                kings[piece // THEIRS] = square
            squares[count] = square
            count += 1
    for i in range(count):
        piece = (record.pieces[i >> 1] >> (4 * (i & 1))) & 15
        side, role = piece // THEIRS, piece & 7
        attacked[side, role] |= _reach(squares[i], role, record.occupied, steps[side], directions, slides)
    for side in range(2):
        free, defended = ~NOTHING, NOTHING
        for role in range(ROLES):
            free &= ~pieces[side, role]
            defended |= attacked[1 - side, role]
        free &= ~defended
        by_pawn = attacked[1 - side, PAWN]
        for attacker in range(ROLES):
            for victim in range(VICTIMS):
                hit = attacked[side, attacker] & pieces[1 - side, victim]
                if hit:
                    place = side * ATTACKS + victim * DEFENCES * ROLES + attacker
                    found[place] = _size(hit & ~defended)
                    found[place + ROLES] = _size(hit & defended & ~by_pawn)
                    found[place + 2 * ROLES] = _size(hit & by_pawn)
        for checker in range(CHECKERS):
            role = KNIGHT + checker
            reach = _reach(kings[1 - side], role, record.occupied, steps[side], directions, slides)
            found[2 * ATTACKS + side * CHECKERS + checker] = _size(reach & attacked[side, role] & free)


@njit(cache=True, parallel=True)
def _count_all(records, steps, directions, slides, found):
    for i in prange(len(records)):
        _count(records[i], steps, directions, slides, found[i])
