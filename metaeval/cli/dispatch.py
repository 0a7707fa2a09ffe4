"""The command ``metaeval``: finds and runs a subcommand; every error is one sentence on stderr."""

import os
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import click

from metaeval import __version__
from metaeval.catalogue.registry import suggestion
from metaeval.core.errors import MetaevalError

#: Every command with its line of help. The command itself is ``command`` in metaeval/cli/commands/<name>.py, which is
#: imported only when it is called, so that the others start fast.
COMMANDS = {
    "list": "Show the measures and the conditions.",
    "score": "Score a candidate biclustering against a gold standard.",
    "check": "Check a measure, yours or any other, against the conditions.",
    "run": "Check every measure against every condition, and save results.",
    "paper": "Recompute a paper's tables, and check its claims.",
    "report": "Render results as text, Markdown, LaTeX, CSV or HTML.",
    "verify": "Re-check every certificate in a results or certificate file.",
    "diff": "Show what changed between two results files.",
    "consistency": "Say whether any measure can satisfy conditions together.",
    "classify": "Say which conditions a pair is an instance of.",
    "cache": "Show or clear the cache of cases.",
    "explain": "Explain a condition, a measure, a cell or a certificate.",
    "cite": "Print BibTeX for metaeval and the works behind it.",
    "examples": "Write example files to try metaeval with.",
}

BAD_INPUT = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells count
PIPE_CLOSED = 141  # 128 + SIGPIPE: 1 would read as "violated"


class Stop(click.ClickException):
    """Ends the program with one sentence."""

    def __init__(self, message: str, code: int = BAD_INPUT) -> None:
        super().__init__(message)
        self.exit_code = code  # type: ignore[misc]


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
            meant = suggestion(name, COMMANDS)
            raise click.UsageError(f"no command {name!r}" + (f" (did you mean {meant!r}?)" if meant else ""), ctx)
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
            if isinstance(error, OSError) and error.strerror:
                raise Stop(("" if error.filename is None else f"{error.filename}: ") + error.strerror) from error
            raise Stop(str(error) or type(error).__name__) from error

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run and exit. What a command returns, if anything, is the exit code."""
        run: Callable[..., Any] = super().main
        if not kwargs.pop("standalone_mode", True):
            return run(*args, standalone_mode=False, **kwargs)
        for stream in (sys.stdout, sys.stderr):
            # A terminal that cannot show "F₁" gets a replacement, not a traceback.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        warned: dict[str, None] = {}
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: warned.setdefault(f"warning: {message}")
            try:
                code = run(*args, standalone_mode=False, **kwargs)
            except click.ClickException as error:
                message, code = error.format_message(), error.exit_code
                if isinstance(error, click.UsageError) and error.ctx is not None:
                    message = f"{message.rstrip('.')}; see `{error.ctx.command_path} --help`"
                _say(message)
            except click.Abort:
                _say("interrupted")
                code = INTERRUPTED
        for text in warned:  # each once, below what was asked for
            _say(text)
        try:
            if sys.stdout is not None:
                sys.stdout.flush()
        except OSError:
            # The pipe was closed, or the disk is full. The interpreter flushes again when it exits; with the null
            # device there, nothing more is printed after the one sentence about the error.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
        sys.exit(code)


def _say(message: str) -> None:
    click.echo("metaeval: " + " ".join(message.split()), err=True)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExample:\n  metaeval score --gold gold.json --candidate found.json",
)
@click.version_option(__version__, prog_name="metaeval", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Test evaluation measures for clusterings and biclusterings."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") in ("dumb", "")
    ctx.color = not plain and sys.stdout is not None and sys.stdout.isatty()
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
