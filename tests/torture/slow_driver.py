"""A driver that does what the figure says, slowly: for `conform --timeout`."""

import time
from collections.abc import Sequence

from tests.testing.drivers import ArcEager, State


class Slow(ArcEager):
    """A moment for each question."""

    def permissible(self, c: State) -> Sequence[str]:
        time.sleep(0.02)
        return super().permissible(c)
