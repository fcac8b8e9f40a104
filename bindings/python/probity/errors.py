"""What a call that fails raises: the codes and hints of the command line, as exceptions.

Ctrl-C raises ``KeyboardInterrupt``, as it does everywhere in Python.
"""

from __future__ import annotations

__all__ = ["ProbityError", "UsageError", "WrongTypeError"]


class ProbityError(Exception):
    """Something went wrong although the call was right.

    ``code`` is the exit code with which the command line would have ended, ``hint`` what to do next.
    """

    code: int = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"

    def __reduce__(self) -> tuple[type[ProbityError], tuple[str, str | None]]:
        # Workers of other processes send exceptions back pickled.
        return type(self), (self.message, self.hint)


class UsageError(ProbityError, ValueError):
    """The call is wrong."""

    code = 2


class WrongTypeError(UsageError, TypeError):
    """A value is of the wrong type."""
