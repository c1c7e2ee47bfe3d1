"""What the results of `gradient`, `modes`, `orbit` and their like have in common."""
from __future__ import annotations

import json
from typing import Any, Generic, Protocol, TypeVar


class _Result(Protocol):
    @property
    def json(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...


R = TypeVar("R", bound=_Result)


class Computed(Generic[R]):
    """The result of a command, as arrays, as JSON and as text."""

    def __init__(self, result: R) -> None:
        self._result = result

    @property
    def warnings(self) -> list[str]:
        """Reasons to doubt the result, one sentence each."""
        return self._result.warnings

    @property
    def json(self) -> dict[str, Any]:
        """As the command prints it with --json."""
        parsed: dict[str, Any] = json.loads(self._result.json)
        return parsed

    def __str__(self) -> str:
        return self._result.text
