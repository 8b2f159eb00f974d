"""Polynomials in n against their values."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcproof.transitions.polynomial import Polynomial, conjecture

POLYNOMIALS = st.lists(st.fractions(-5, 5, max_denominator=6), max_size=4).map(lambda c: Polynomial(tuple(c)))


@given(POLYNOMIALS, POLYNOMIALS, st.integers(-3, 9))
def test_sums_and_products_have_the_values_of_sums_and_products(one: Polynomial, other: Polynomial, n: int) -> None:
    assert (one + other).at(n) == one.at(n) + other.at(n)
    assert (one - other).at(n) == one.at(n) - other.at(n)
    assert (one * other).at(n) == one.at(n) * other.at(n)


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=3))
def test_values_of_a_polynomial_are_fitted_by_it(coefficients: list[int]) -> None:
    polynomial = Polynomial.of(*coefficients)
    fit = Polynomial.fitting([int(polynomial.at(n)) for n in range(1, 7)])

    assert fit is not None
    assert [fit.at(n) for n in range(20)] == [polynomial.at(n) for n in range(20)]


@pytest.mark.parametrize(
    ("values", "text", "first"),
    [
        ([2, 4, 6, 8], "2n", 1),
        ([1, 4, 6, 8], "2n", 2),
        ([None, 2, 4, 6], "2n - 2", 2),
        ([9, 4, 9, 16, 25], "n^2", 2),
        ([3, 3, 3], "3", 1),
    ],
)
def test_a_conjecture_may_start_at_two_words(values: list[int | None], text: str, first: int) -> None:
    assert conjecture(values) is not None
    assert tuple(map(str, conjecture(values) or ())) == (text, str(first))


@pytest.mark.parametrize("values", [[], [4], [7, 3], [9, 4, 9, 16], [1, None, 2, 3], [1, 1, 2, 4, 8, 16]])
def test_there_is_no_conjecture_without_a_value_that_bears_it_out(values: list[int | None]) -> None:
    assert conjecture(values) is None


@pytest.mark.parametrize(
    ("polynomial", "text"),
    [
        (Polynomial(), "0"),
        (Polynomial.of(0, 0), "0"),
        (Polynomial.of(-1, 0, 1), "n^2 - 1"),
        (Polynomial.of(0, Fraction(-1, 2), Fraction(1, 2)), "(n^2 - n)/2"),
        (Polynomial.of(3, -1), "-n + 3"),
    ],
)
def test_a_polynomial_is_printed_as_a_formula_in_n(polynomial: Polynomial, text: str) -> None:
    assert str(polynomial) == text
