"""The cluster that a command was given with `--cluster`, if any.

In the block of `on_cluster`, `chosen` has the cluster, and `side_by_side` sends calls there.  Dask is not imported
before then (`dask_cluster`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arcproof.process.dask_cluster import Cluster


class ClusterProblem(Exception):
    """The cluster cannot be used; the message says why, and what would help."""


class ClusterLost(ClusterProblem):
    """The cluster was there, but is gone."""


_chosen: "list[Cluster]" = []


def chosen() -> "Cluster | None":
    """Where calls are made; None stands for this machine."""
    return _chosen[-1] if _chosen else None


@contextmanager
def on_cluster(place: str | None) -> Iterator[None]:
    """Make calls on a cluster for the duration of the block: an address, the path of a scheduler file, or `local:N` for
    N processes of this machine.
    """
    if place is None:
        yield
        return
    from arcproof.process.dask_cluster import connected

    with connected(place) as cluster:
        _chosen.append(cluster)
        try:
            yield
        finally:
            _chosen.pop()
