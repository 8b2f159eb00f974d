"""NumPy or, where it is not installed, `plain_arrays`: as much of NumPy as the interpreter needs, on plain lists."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:
    try:
        import numpy as np
        import numpy.typing as npt
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        from arcproof.process import plain_arrays as np
        from arcproof.process import plain_arrays as npt

__all__ = ["np", "npt"]
