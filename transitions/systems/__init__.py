"""The built-in systems, one `.tsys` file each; `arcproof.transitions.library` finds them."""
