"""How far a right answer may lie from the exact one: bounds that follow from the operation, never a bare 1e-5.

`u` = 2^-24 is the unit roundoff of float32. The bounds hold for every order of summation, for fused multiply-add, for
Kahan and pairwise sums, and for wider accumulators; see Higham, "Accuracy and Stability of Numerical Algorithms",
sections 3.1 and 4.2. They are worst cases, so that a right kernel passes by right and not by luck.
"""

from __future__ import annotations

import numpy as np

from autograder.case import Float64

U = 2.0**-24
SMALLEST = 2.0**-149  # the smallest subnormal float32: no bound may ask for less

# Units in the last place granted to a library function. glibc's manual states 1 for expf, logf, powf and 2 for tanhf;
# CUDA's guide at most 2 for expf, logf and tanhf, and up to 8 for powf. Twice that leaves room for others.
ULPS_ELEMENTARY = 4
ULPS_POWER = 16  # also admits exp(v * log(x)) in float32 for the ranges that the cases draw (|v log x| below 6)


def gamma(terms: int) -> float:
    """Higham's gamma_n = n u / (1 - n u): the relative error of at most n roundings."""
    return terms * U / (1.0 - terms * U)


def of_sum(magnitudes: Float64, terms: int) -> Float64:
    """Bound of a sum (or dot product) of `terms` terms whose magnitudes add up to `magnitudes`."""
    return gamma(terms + 1) * magnitudes + SMALLEST


def of_roundings(values: Float64, roundings: int) -> Float64:
    """Bound of a result that is rounded `roundings` times: a quotient once, a product with the reciprocal twice."""
    return _finite(values) * gamma(roundings) + SMALLEST


def of_ulps(values: Float64, ulps: int) -> Float64:
    """Bound of a library function that is right to `ulps` units in the last place (2u relative, at most)."""
    return _finite(values) * (2.0 * U * ulps) + SMALLEST


def _finite(values: Float64) -> Float64:
    return np.where(np.isfinite(values), np.abs(values), 0.0)
