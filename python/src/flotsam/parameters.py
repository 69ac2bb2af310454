# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of policies as `flotsam list policies --json` declares them, and values as experiments name them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .program import ExperimentError, call_json

Value = float | str


@dataclass(frozen=True)
class Parameter:
    """One parameter: its words, or its range in a unit."""

    name: str
    meaning: str
    unit: str
    default: Value
    low: float = 0.0
    high: float = 0.0
    choices: tuple[str, ...] = ()

    def at(self, share: float) -> float:
        """The value at a share of the range: even steps about the default, growing in proportion beyond it.

        Ranges in descriptors are what is allowed, often from zero to a thousand times the default.
        """
        width = self.high - self.low
        value = self.low + self._scale * math.sinh(share * math.asinh(width / self._scale))
        return min(self.high, max(self.low, float(f"{value:.4g}")))

    def share(self, value: float) -> float:
        """The share of the range at which a value lies."""
        width = self.high - self.low
        return math.asinh((value - self.low) / self._scale) / math.asinh(width / self._scale)

    @property
    def _scale(self) -> float:
        above = float(self.default) - self.low
        return above if above > 0 and float(self.default) <= self.high else (self.high - self.low) / 10

    def text(self, value: Value) -> str:
        """A value as it stands in brackets."""
        if isinstance(value, str):
            return value
        number = f"{value:.15g}"
        return f"{number}{self.unit}"

    def within(self, low: float, high: float) -> Parameter:
        """The parameter with a narrower range."""
        if self.choices:
            raise ExperimentError(f"{self.name} is one of {', '.join(self.choices)}, and has no range")
        if not self.low <= low < high <= self.high:
            raise ExperimentError(
                f"{self.name}: expected a range within {self.low:g}..{self.high:g}{_unit(self.unit)}, "
                f"found {low:g}..{high:g}")
        return replace(self, low=low, high=high)


@dataclass(frozen=True)
class Policy:
    """One policy with its parameters."""

    kind: str
    name: str
    parameters: tuple[Parameter, ...]

    def text(self, values: Mapping[str, Value]) -> str:
        """The policy with values in the order of its parameters, defaults left out: `lyapunov[v=30,run=2J]`."""
        given = [
            f"{each.name}={each.text(values[each.name])}" for each in self.parameters
            if each.name in values and values[each.name] != each.default
        ]
        return f"{self.name}[{','.join(given)}]" if given else self.name


def policies(program_path: str | None = None) -> list[Policy]:
    """All policies of the program, those of an own executable included."""
    return [
        Policy(each["kind"], each["name"], tuple(_parameter(member) for member in each["parameters"]))
        for each in call_json(["list", "policies"], program_path=program_path)
    ]


def _parameter(json: Mapping[str, Any]) -> Parameter:
    if "choices" in json:
        return Parameter(json["name"], json["meaning"], "", json["default"], choices=tuple(json["choices"]))
    return Parameter(
        json["name"], json["meaning"], json["unit"], float(json["default_value"]), float(json["low"]),
        float(json["high"]))


def _unit(unit: str) -> str:
    return f" {unit}" if unit else ""
