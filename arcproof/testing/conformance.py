"""Checking your own parser against a figure, in a test."""

from dataclasses import replace
from pathlib import Path

from arcproof.properties.conformance.apart import conform
from arcproof.properties.conformance.calls import SECONDS
from arcproof.properties.conformance.conform import SAMPLES, WORDS, Conformance, Extent
from arcproof.properties.conformance.driver import parts_of
from arcproof.properties.conformance.references import named, reference_to
from arcproof.testing.subjects import subject_of
from arcproof.transitions.system import System


def conforms(
    figure: str | Path | System,
    driver: object,
    *,
    words: int = WORDS,
    samples: int = SAMPLES,
    seed: int = 0,
    timeout: float | None = None,
    call_timeout: float = SECONDS,
) -> Conformance:
    """Check a driver against a figure: everything up to `words` words, and `samples` longer runs and trees.

    `figure` is a built-in name, a path, a text or a loaded system; `driver` is an instance or a class that needs no
    arguments (`arcproof.testing.driver` documents its methods), or its name, as in `my_driver.py:Driver`.  No call to
    the driver may take longer than `call_timeout` seconds, and the whole comparison no longer than `timeout`.  The
    result has the smallest divergence of each kind in `found`, and `conforms` says whether there is none.
    """
    subject = subject_of(figure)
    if isinstance(driver, str):
        reference: str | None = driver
        driver = named(driver, subject.system.figure.name).driver
    else:
        reference = reference_to(driver)
    name = reference or (driver.__name__ if isinstance(driver, type) else type(driver).__name__)
    effort = Extent(words, samples, seed, timeout, call_timeout)
    found = conform(subject.system, name, parts_of(driver), effort)
    return replace(found, is_named=reference is not None and subject.reference is not None)


def assert_conforms(
    figure: str | Path | System,
    driver: object,
    *,
    words: int = WORDS,
    samples: int = SAMPLES,
    seed: int = 0,
    timeout: float | None = None,
    call_timeout: float = SECONDS,
) -> Conformance:
    """Assert that the driver does what the figure says; otherwise an `AssertionError` lists the divergences."""
    __tracebackhide__ = True
    from arcproof.reports.conformance import to_text

    found = conforms(
        figure, driver, words=words, samples=samples, seed=seed, timeout=timeout, call_timeout=call_timeout
    )
    if not found.conforms:
        raise AssertionError(to_text(found).rstrip("\n"))
    return found
