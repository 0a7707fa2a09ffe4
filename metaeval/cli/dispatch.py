"""The command ``metaeval``: finds a command, runs it, and turns what went wrong into one sentence."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from metaeval import __version__
from metaeval.core.errors import MetaevalError

#: Every command and what the overview says of it. The command itself is ``command`` in
#: metaeval/cli/commands/<name>.py, which is imported only when it is asked for: a fast start for all the others.
COMMANDS = {
    "list": "Show the measures and the conditions.",
    "score": "Score a candidate biclustering against a gold standard.",
    "check": "Check a measure, yours or any other, against the conditions.",
    "run": "Check every measure against every condition, and keep results.",
    "paper": "Recompute a paper's tables, and hold its claims to the test.",
    "report": "Render results as text, Markdown, LaTeX, CSV or HTML.",
    "verify": "Re-check every certificate in a results or certificate file.",
    "diff": "Show what changed between two results files.",
    "consistency": "Tell whether any measure can satisfy conditions together.",
    "classify": "Tell which conditions a pair is an instance of.",
    "cache": "Show or clear the cases that are kept between searches.",
    "explain": "Explain a condition, a measure, a cell or a certificate.",
}

BAD_INPUT = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells count
PIPE_CLOSED = 141  # 128 + SIGPIPE: 1 would read as "violated"


class Stop(Exception):
    """Ends the program with one sentence."""

    def __init__(self, message: str, code: int = BAD_INPUT) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class Commands(click.Group):
    """The commands of :data:`COMMANDS`, loaded on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"metaeval.cli.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            close = get_close_matches(name, COMMANDS, n=1)
            raise click.UsageError(
                f"no command {name!r}" + (f" (did you mean {close[0]!r}?)" if close else ""), ctx
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:
                # `metaeval … | head` closes the pipe early. Flushing here raises that error now, where it is
                # caught below; left to the interpreter's exit it would print a traceback.
                sys.stdout.flush()
            return result
        except KeyboardInterrupt:
            raise Stop("interrupted", INTERRUPTED) from None
        except BrokenPipeError:
            ctx.exit(PIPE_CLOSED)
        except (MetaevalError, OSError, UnicodeDecodeError) as error:
            raise Stop(_sentence(error)) from error

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run and exit. What a command returns, if anything, is the exit code."""
        run: Callable[..., Any] = super().main
        if not kwargs.pop("standalone_mode", True):
            return run(*args, standalone_mode=False, **kwargs)
        for stream in (sys.stdout, sys.stderr):
            # A terminal that cannot show "F₁" gets a replacement, not a traceback.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            code = _ending(lambda: run(*args, standalone_mode=False, **kwargs))
        _settle_output()
        sys.exit(code)


def _ending(run: Callable[[], Any]) -> Any:
    """The exit code of a run, once its error, if any, is told."""
    try:
        return run()
    except Stop as stop:
        _say(stop.message)
        return stop.code
    except click.ClickException as error:
        _say(_explain(error))
        return error.exit_code
    except click.Abort:
        _say("interrupted")
        return INTERRUPTED


def _explain(error: click.ClickException) -> str:
    message = error.format_message()
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{message.rstrip('.')}; see `{error.ctx.command_path} --help`"
    return message


def _sentence(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return str(error) or type(error).__name__


def _say(message: str) -> None:
    click.echo("metaeval: " + " ".join(message.split()), err=True)


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _say(f"warning: {message}")


def _settle_output() -> None:
    """Throw away output that could not be written, because the pipe was closed or the disk is full.

    The interpreter flushes standard output once more when it exits. Pointed at the null device that succeeds,
    and nothing is printed after the one sentence that told what went wrong.
    """
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExample:\n  metaeval score --gold gold.json --candidate found.json",
)
@click.version_option(__version__, prog_name="metaeval", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Put evaluation measures for biclusterings to the test."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
