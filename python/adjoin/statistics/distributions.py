"""The normal distribution and Student's t: quantiles, and how much lies beyond a value."""

from __future__ import annotations

import math
from statistics import NormalDist


def as_level(level: float) -> float:
    """Return the level of an interval, or say what is wrong."""
    if not 0 < level < 1:
        raise ValueError(f"level = {level}: must be between 0 and 1")
    return level


def normal_quantile(probability: float) -> float:
    """Return the quantile of the standard normal distribution.

    >>> round(normal_quantile(0.975), 4)
    1.96
    """
    return NormalDist().inv_cdf(probability)


def t_quantile(probability: float, freedom: float) -> float:
    """Return the quantile of Student's t distribution with so many degrees of freedom, at least 1.

    Exact for one and two, else Hill's expansion (Algorithm 396 of the ACM), improved by ``t_tails``
    until it is as exact.

    >>> round(t_quantile(0.975, 1), 3), round(t_quantile(0.975, 10.5), 3)
    (12.706, 2.214)
    """
    n = _freedom(freedom)
    if not 0 < probability < 1:
        raise ValueError(f"probability = {probability}: must be between 0 and 1")
    if probability < 0.5:
        return -t_quantile(1 - probability, n)
    tails = 2 * (1 - probability)
    if n == 1:
        return 1 / math.tan(tails * math.pi / 2)
    if n == 2:
        return math.sqrt(2 / (tails * (2 - tails)) - 2)
    value = _hill(tails, n)
    for _ in range(3):
        density = math.exp(_log_density(value, n))
        value += (t_tails(value, n) - tails) / (2 * density)
    return value


def t_cdf(value: float, freedom: float) -> float:
    """Return how likely Student's t is not to exceed a value.

    >>> round(t_cdf(2.228, 10), 4)
    0.975
    """
    beyond = t_tails(value, freedom) / 2
    return beyond if value < 0 else 1 - beyond


def t_tails(value: float, freedom: float) -> float:
    """Return how likely Student's t is to be as far from 0 as a value: the two-sided p-value.

    >>> round(t_tails(2.228, 10), 4)
    0.05
    """
    n = _freedom(freedom)
    if math.isnan(value):
        return math.nan
    square = value * value
    if math.isinf(square):
        return 0.0
    # The regularised incomplete beta function of n / (n + value²), with n / 2 and 1 / 2.
    x, rest = n / (n + square), square / (n + square)
    if square == 0:
        return 1.0
    front = math.exp(-n / 2 * math.log1p(square / n) + math.log(rest) / 2 + _log_ratio(n / 2))
    if x < (n / 2 + 1) / (n / 2 + 2.5):
        return front * _fraction(x, n / 2, 0.5) / (n / 2)
    return 1 - 2 * front * _fraction(rest, 0.5, n / 2)


def _hill(tails: float, n: float) -> float:
    """Return about where both tails together have a probability, of more than two degrees."""
    a = 1 / (n - 0.5)
    b = 48 / a**2
    c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    d = ((94.5 / (b + c) - 3) / b + 1) * math.sqrt(a * math.pi / 2) * n
    y = (d * tails) ** (2 / n)
    if y <= 0.05 + a:
        far = 1 / (((n + 6) / (n * y) - 0.089 * d - 0.822) * (n + 2) * 3) + 0.5 / (n + 4)
        return math.sqrt(n * ((far * y - 1) * (n + 1) / (n + 2) + 1 / y))
    x = normal_quantile(tails / 2)
    if n < 5:
        c += 0.3 * (n - 4.5) * (x + 0.6)
    c = (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b + c
    y = x * x
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
    return math.sqrt(n * math.expm1(a * y * y))


def _log_density(value: float, n: float) -> float:
    """Return the logarithm of the density of Student's t."""
    return _log_ratio(n / 2) - math.log(n) / 2 - (n + 1) / 2 * math.log1p(value * value / n)


def _log_ratio(a: float) -> float:
    """Return the logarithm of gamma(a + 1/2) / gamma(a) / gamma(1/2)."""
    if a < 40:
        return math.lgamma(a + 0.5) - math.lgamma(a) - math.log(math.pi) / 2
    series = ((17 / 14336 / (a * a) - 1 / 640) / (a * a) + 1 / 192) / (a * a) - 1 / 8
    return (math.log(a) - math.log(math.pi)) / 2 + series / a


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method."""
    least = 1e-300
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value, m = d, 0
    while True:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d, c = 1 / ((1 + step * d) or least), (1 + step / c) or least
            value *= c * d
        if abs(c * d - 1) < 1e-15 or m > 100_000:
            return value


def _freedom(freedom: float) -> float:
    if not freedom >= 1:
        raise ValueError(f"freedom = {freedom}: must be at least 1")
    return float(freedom)
