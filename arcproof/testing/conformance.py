"""Checking your own parser against a figure, in a test."""

from dataclasses import replace
from pathlib import Path

from arcproof.properties.conformance.apart import conform
from arcproof.properties.conformance.calls import SECONDS
from arcproof.properties.conformance.case import case_of
from arcproof.properties.conformance.conform import SAMPLES, WORDS, Conformance, Extent
from arcproof.properties.conformance.driver import BadDriver, parts_of
from arcproof.properties.conformance.references import named, reference_to
from arcproof.testing.subjects import subject_of
from arcproof.transitions.system import System


def conforms(
    figure: str | Path | System | None,
    driver: object,
    *,
    words: int = WORDS,
    samples: int = SAMPLES,
    seed: int = 0,
    timeout: float | None = None,
    call_timeout: float = SECONDS,
    replay: str | None = None,
    gold: str | None = None,
    labels: str | None = None,
) -> Conformance:
    """Check a driver against a figure: everything up to `words` words, and `samples` longer runs and trees.

    `figure` is a built-in name, a path, a text, a loaded system, or None for the one that the driver names; `driver`
    is an instance or a class that needs no arguments (docs/conformance.md has its methods), or its name, as
    in `my_driver.py:Driver`.  No call to the driver may take longer than `call_timeout` seconds, and the whole
    comparison no longer than `timeout`.  The result has the smallest divergence of each kind in `found`, and `conforms`
    says whether there is none.

    `replay` compares one case instead, as `arcproof conform --replay` does: a run such as `"SHIFT LEFT-ARC"` of a
    sentence with `words` words, or with the heads `gold`, as in `"2,0"`, about which the driver is asked at its end.
    """
    subject = None if figure is None else subject_of(figure)
    if isinstance(driver, str):
        reference: str | None = driver
        driver = named(driver, None if subject is None else subject.system.figure.name).driver
    else:
        reference = reference_to(driver)
    parts = parts_of(driver)
    if subject is None:
        if parts.declared.figure is None:
            raise BadDriver("the driver does not say which figure it follows; give the figure")
        subject = subject_of(parts.declared.figure)
    name = reference or (driver.__name__ if isinstance(driver, type) else type(driver).__name__)
    effort = Extent(words, samples, seed, timeout, call_timeout)
    case = case_of(replay, gold, labels, words if gold is None else None)
    found = conform(subject.system, name, parts, effort, case=case)
    return replace(found, is_named=reference is not None and subject.reference is not None)


def assert_conforms(
    figure: str | Path | System | None,
    driver: object,
    *,
    words: int = WORDS,
    samples: int = SAMPLES,
    seed: int = 0,
    timeout: float | None = None,
    call_timeout: float = SECONDS,
    replay: str | None = None,
    gold: str | None = None,
    labels: str | None = None,
) -> Conformance:
    """Assert that the driver does what the figure says; otherwise an `AssertionError` lists the divergences.

    With `replay` (see `conforms`), assert that nothing diverges in that case.
    """
    __tracebackhide__ = True
    from arcproof.reports.conformance import to_text

    found = conforms(
        figure,
        driver,
        words=words,
        samples=samples,
        seed=seed,
        timeout=timeout,
        call_timeout=call_timeout,
        replay=replay,
        gold=gold,
        labels=labels,
    )
    if found.exit_code != 0:
        raise AssertionError(to_text(found).rstrip("\n"))
    return found
