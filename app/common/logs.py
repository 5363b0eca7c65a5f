"""A server's log on standard error: lines for people, or JSON for programs."""

from __future__ import annotations

import logging
from enum import StrEnum
from pathlib import Path
from typing import Any

import structlog

from kibitz.app.common.terminal import PROGRESS, LogHandler, RepeatFilter, shown

LIBRARIES = ("uvicorn", "uvicorn.error", "websockets")
"""Who else writes into the log of a server; their warnings and errors are taken."""


class LogForm(StrEnum):
    """Format of the log."""

    TEXT = "text"
    JSON = "json"


class OneLine(logging.Formatter):
    """Formats an error in one line with its place, never as a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record as one line."""
        text = shown(record.getMessage())
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return f"server: {text}"
        where = _where(error)
        at = f" at {where}" if where else ""
        return f"server: {type(error).__name__}: {shown(error)}{at}"


def _where(error: BaseException) -> str:
    """File and line that an error comes from; empty if it was never raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"


def _with_error(_logger: Any, _name: str, line: structlog.typing.EventDict) -> Any:
    """Replace an error's traceback by three fields."""
    info = line.pop("exc_info", None)
    error = info[1] if isinstance(info, tuple) else None
    if error is not None:
        line.update(error=type(error).__name__, why=str(error), where=_where(error))
    return line


def json_lines() -> logging.Formatter:
    """Formatter for one JSON line a record: `timestamp` (UTC), `level`, `logger`, `event`."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            _with_error,
            structlog.processors.JSONRenderer(),
        ],
        use_get_message=True,
    )


def start_logs(form: LogForm = LogForm.TEXT) -> None:
    """Send this process's log to standard error from now on.

    Args:
        form: as text, one line each, or as JSON, where what is told people beside goes too.
    """
    programs = form is LogForm.JSON
    handler = LogHandler() if programs else logging.StreamHandler()
    handler.setFormatter(json_lines() if programs else OneLine())
    handler.addFilter(RepeatFilter())
    for name in LIBRARIES:
        _set(name, logging.WARNING, [handler])
    _set(PROGRESS, logging.INFO, [handler] if programs else [])


def _set(name: str, level: int, handlers: list[logging.Handler]) -> None:
    logger = logging.getLogger(name)
    logger.handlers = handlers
    logger.setLevel(level)
    logger.propagate = False
