"""The systems on board, one `.tsys` file each; `arcproof.transitions.library` finds them."""
