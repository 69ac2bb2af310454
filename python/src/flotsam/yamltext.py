# SPDX-License-Identifier: GPL-3.0-or-later
"""YAML as the program reads it: numbers and `true` are values, everything else is text.

PyYAML follows YAML 1.1, in which `on` is a truth value, `12:30` a number of seconds and `2026-03-02` a date; the
program takes them as texts. Both directions here follow the program.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

_INTEGER = re.compile(r"^[-+]?[0-9]+$")
_NUMBER = re.compile(r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?$")
_TRUTH = re.compile(r"^(?:true|false)$")
_NOTHING = re.compile(r"^(?:~|null|)$")


class _Loader(yaml.SafeLoader):
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}


class _Dumper(yaml.SafeDumper):
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}

    def ignore_aliases(self, data: Any) -> bool:
        return True


for _class in (_Loader, _Dumper):
    _class.add_implicit_resolver("tag:yaml.org,2002:bool", _TRUTH, list("tf"))
    _class.add_implicit_resolver("tag:yaml.org,2002:null", _NOTHING, ["~", "n", ""])
    _class.add_implicit_resolver("tag:yaml.org,2002:int", _INTEGER, list("-+0123456789"))
    _class.add_implicit_resolver("tag:yaml.org,2002:float", _NUMBER, list("-+.0123456789"))


def load(text: str) -> Any:
    """The content of a YAML text."""
    return yaml.load(text, Loader=_Loader)  # noqa: S506 (a SafeLoader)


def dump(content: Any) -> str:
    """A YAML text with keys in their order."""
    return yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=118)


def flow(content: Any) -> str:
    """A value on one line, as `--set` takes it; a text stays as it is."""
    if isinstance(content, str):
        return content
    text = yaml.dump(
        content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=True, width=float("inf"))
    return str(text).removesuffix("\n").removesuffix("\n...")
