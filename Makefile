# Builds the engine for this machine and copies the program here. OpenBench calls `make EXE=name`, and may also pass
# CC and CXX, which mean nothing to a Rust program, and EVALFILE: the network file that goes into the program.
EXE ?= pacioli
CARGO ?= cargo

# Programs have a suffix on Windows, wherever the name given lacks it.
ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif
TARGET := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)
NATIVE := $(RUSTFLAGS) -C target-cpu=native
# Functions up to about twice the usual size become part of their callers, unless a profile tells which are worth it.
INLINE := -C llvm-args=-inline-threshold=500
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

.PHONY: all pgo test clean match-1997

# A network that was given may be damaged: the program says so before it is copied.
CHECK_NETWORK = $(if $(EVALFILE),"$(TARGET_DIR)/release/pacioli$(SUFFIX)" net info > /dev/null)
all:
	RUSTFLAGS="$(NATIVE) $(INLINE)" $(CARGO) build --release
	$(CHECK_NETWORK)
	cp "$(TARGET_DIR)/release/pacioli$(SUFFIX)" "$(TARGET)"

# A build guided by a profile of the bench: `cargo install cargo-pgo` and `rustup component add llvm-tools` first.
pgo: HOST = $(shell rustc -vV | sed -n 's/^host: //p')
pgo:
	RUSTFLAGS="$(NATIVE)" $(CARGO) pgo run -- bench
	RUSTFLAGS="$(NATIVE)" $(CARGO) pgo optimize build
	cp "$(TARGET_DIR)/$(HOST)/release/pacioli$(SUFFIX)" "$(TARGET)"

test:
	$(CARGO) test

# Renews the figures of docs/deep-blue-1997.md from the six games in order: make match-1997 PGN=games.pgn
NODES ?= 1000000
SHOW_NODES ?= 5000000
JOBS ?= 1
MATCH_PAGE := docs/deep-blue-1997.md
match-1997: all
	sed '/^<!-- figures -->$$/q' $(MATCH_PAGE) > $(MATCH_PAGE).new
	echo >> $(MATCH_PAGE).new
	"./$(TARGET)" lab match "$(PGN)" --player "Deep Blue" --nodes $(NODES) --show-nodes $(SHOW_NODES) --jobs $(JOBS) \
		--show 2.36 --show 2.37 --show 1.44 --show 6.8 >> $(MATCH_PAGE).new
	mv $(MATCH_PAGE).new $(MATCH_PAGE)

clean:
	$(CARGO) clean
	rm -f "$(TARGET)"
