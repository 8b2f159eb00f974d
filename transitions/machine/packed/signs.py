"""What the compiled explorer reports about a configuration, or about the transitions that leave it, one bit each."""

from typing import Final

TERMINAL: Final = 1
DEAD_END: Final = 2  # not terminal, and nothing is permissible
NO_DEFAULT: Final = 4  # not terminal, and the default transition is not permissible
EMPTY_BUFFER: Final = 8  # the buffer is empty, and the configuration is not terminal
SECOND_ARC: Final = 16  # some transition adds an arc to a node that has one; with `several heads`, an existing arc
REMOVES: Final = 32  # some transition removes an arc
GROWS: Final = 64  # some transition makes the buffer longer
DISORDER: Final = 128  # some transition changes the buffer other than by taking words off its front
GOES_ON: Final = 256  # terminal, but a permissible transition changes the arcs
PERMITS: Final = 512  # terminal, but something is permissible
INTO_ROOT: Final = 1024  # some transition adds an arc to 0
