# SPDX-License-Identifier: GPL-3.0-or-later
"""How metrics are declared: a name, a function of the run and of the app that it is asked of, None for the phone.

It returns a number, None for no value, `Binned` for a quantile, or `Bounds` where tables tell no more."""

# Quantiles are known to bins of 1 %, so that their middle is within half of that.
QUANTILE = 0.00502

METRICS = {}
APP_METRICS = set()


class Bounds:
    """A number that tables know only to lie between two; perhaps without a value, where they do not tell that either."""

    def __init__(self, low, high, may_be_none=False):
        self.low, self.high, self.may_be_none = low, high, may_be_none


class Binned:
    """A quantile of values that are counted in bins of 1 %."""

    def __init__(self, value):
        self.value = value


def phone(function):
    METRICS[function.__name__] = function
    return function


def app(function):
    APP_METRICS.add(function.__name__)
    return phone(function)


def per_day(name, number, of_apps=True):
    """Declares a metric that is a number per day."""
    METRICS[name] = lambda run, of_app: number(run, of_app) / run.days
    if of_apps:
        APP_METRICS.add(name)
