"""The built-in systems in which a word has one head: what is said of costs, and of graphs written as lists of heads, is
said of these.
"""

from typing import Final

from arcproof.transitions.library import system_names
from arcproof.transitions.system import load

SINGLE_HEADED: Final = [name for name in system_names() if not load(name).figure.several_heads]
