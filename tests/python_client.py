"""Drives the engine named on the command line through python-chess, as bots and analysis tools do."""

import sys

import chess
import chess.engine

MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


def check(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def play_a_game(engine):
    board = chess.Board()
    for _ in range(30):
        if board.is_game_over():
            break
        result = engine.play(board, chess.engine.Limit(nodes=500), info=chess.engine.INFO_ALL)
        check(result.move in board.legal_moves, "a legal move")
        check(result.info["pv"][0] == result.move, "the line begins with the move")
        board.push(result.move)


def play_on_a_clock_and_ponder(engine):
    board = chess.Board()
    limit = chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.05, black_inc=0.05)
    for _ in range(4):
        result = engine.play(board, limit, ponder=True)
        board.push(result.move)
        # Every other time the opponent does not play the expected move.
        expected = result.ponder if len(board.move_stack) % 4 == 1 else None
        board.push(expected if expected in board.legal_moves else next(iter(board.legal_moves)))


def analyse(engine):
    board = chess.Board()
    infos = engine.analyse(board, chess.engine.Limit(depth=6), multipv=5)
    check(len(infos) == 5, "five lines")
    check(len({info["pv"][0] for info in infos}) == 5, "five different moves")
    scores = [info["score"].relative for info in infos]
    check(scores == sorted(scores, reverse=True), "scores in order")
    infos = engine.analyse(chess.Board("7k/8/8/8/p7/8/8/K7 w - - 0 1"), chess.engine.Limit(depth=4), multipv=50)
    check(len(infos) == 3, "no more lines than moves")
    info = engine.analyse(board, chess.engine.Limit(depth=4), root_moves=[chess.Move.from_uci("a2a3")])
    check(info["pv"][0].uci() == "a2a3", "only the moves asked for")


def stream(engine):
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    depths = []
    with engine.analysis(board) as analysis:
        for info in analysis:
            if "pv" in info and "lowerbound" not in info and "upperbound" not in info:
                depths.append(info["depth"])
                after = board.copy()
                for move in info["pv"]:
                    check(move in after.legal_moves, "a legal line")
                    after.push(move)
            if info.get("depth", 0) >= 8:
                break
    check(depths == sorted(depths) and depths[0] == 1, "iterations in order")


def find_a_mate(engine):
    board = chess.Board(MATE_IN_TWO)
    result = engine.play(board, chess.engine.Limit(mate=2), info=chess.engine.INFO_ALL)
    check(result.info["score"].relative == chess.engine.Mate(2), "mate in two")
    for move in result.info["pv"]:
        board.push(move)
    check(board.is_checkmate(), "the line ends in mate")


def play_chess960(engine):
    board = chess.Board.from_chess960_pos(342)
    for _ in range(16):
        board.push(engine.play(board, chess.engine.Limit(nodes=300)).move)
    board = chess.Board("1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1", chess960=True)
    castling = chess.Move.from_uci("c1g1")
    check(engine.play(board, chess.engine.Limit(depth=3), root_moves=[castling]).move == castling, "castling")


def set_options(engine):
    wanted = [
        "Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "Clear Hash", "UCI_Chess960", "UCI_AnalyseMode",
        "UCI_Opponent", "UCI_ShowRefutations", "UCI_ShowCurrLine", "Profile",
    ]
    for name in wanted:
        check(name in engine.options, f"the option {name}")
    engine.configure({"Hash": 8, "Move Overhead": 20, "Clear Hash": None, "Profile": "deep-blue"})
    engine.play(chess.Board(), chess.engine.Limit(depth=2))
    engine.configure({"Profile": "modern", "UCI_ShowRefutations": True})
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=4), info=chess.engine.INFO_ALL)
    check("refutation" in info, "refutations")
    engine.configure({"UCI_ShowRefutations": False})
    engine.ping()


def main():
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=60) as engine:
        check(engine.id["name"].startswith("Pacioli "), "its name")
        for step in [
            play_a_game, play_on_a_clock_and_ponder, analyse, stream, find_a_mate, play_chess960, set_options,
        ]:
            step(engine)
            print(f"{step.__name__}: ok")


main()
