"""Greek and ASCII spellings of names: `σ` and `sigma` are one name, `λ1`, `λ₁` and `lambda1` too.

Names are kept in Greek; JSON and other machine-readable output use the ASCII spelling.
"""

import re
from typing import Final

GREEK: Final[dict[str, str]] = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "upsilon": "υ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ",
    "Omega": "Ω",
}  # fmt: skip
_ASCII: Final = {letter: word for word, letter in GREEK.items()}
_SUBSCRIPTS: Final = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_SPELLED: Final = re.compile(r"([A-Za-z]+)([0-9]*'*)")


def canonical(name: str) -> str:
    """The canonical spelling of a name.

    >>> canonical("lambda1"), canonical("λ₁"), canonical("i")
    ('λ1', 'λ1', 'i')
    """
    name = name.translate(_SUBSCRIPTS)
    spelled = _SPELLED.fullmatch(name)
    if spelled and spelled[1] in GREEK:
        return GREEK[spelled[1]] + spelled[2]
    return name


def ascii_name(name: str) -> str:
    """The ASCII spelling of a canonical name.

    >>> ascii_name("λ1")
    'lambda1'
    """
    return "".join(_ASCII.get(letter, letter) for letter in name)


def is_greek(name: str) -> bool:
    """Whether a canonical name begins with a Greek letter."""
    return name[:1] > "ʯ"
