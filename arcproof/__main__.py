"""`python -m arcproof`, and the `arcproof` command."""

import os
import sys

TYPE_CHECKING = False  # what is imported here delays `_end_at_once`
if TYPE_CHECKING:
    import click

RARELY = 100_000
"""Objects between two searches for cycles of them: imports make many objects and no garbage."""

BUG = 70
"""The exit code of an error inside arcproof, as BSD's `sysexits` has it."""


def main() -> None:
    """Run the command line; what a user or a machine can cause ends with a message and its exit code, never a
    traceback.
    """
    _end_at_once()
    import gc

    gc.set_threshold(RARELY)
    try:
        code = _run()
    except KeyboardInterrupt as interruption:
        code = _fail(str(interruption) or "interrupted", 3)
    except Exception as error:
        # Python 3.11 wraps what is raised while a class gets its fields in a RuntimeError.
        interrupted = isinstance(error, RuntimeError) and isinstance(error.__cause__, KeyboardInterrupt)
        code = _fail(str(error.__cause__) or "interrupted", 3) if interrupted else _bug()
    sys.exit(code)


def _bug() -> int:
    """Show where arcproof went wrong; Python's own exit code would say that something is refuted."""
    import traceback

    lines = traceback.format_exc()
    return _fail(f"{lines}error: this is a bug in arcproof, not a result; please report it with the lines above", BUG)


def _end_at_once() -> None:
    """Until the work is begun, there is nothing to show when Ctrl-C or SIGTERM comes; `watch` takes over then."""
    # `signal` makes enumerations of it, which takes long enough to be interrupted.
    import _signal  # type: ignore[import-not-found,unused-ignore]

    def end(number: int, _: object) -> None:
        os.write(2, b"terminated\n" if number == _signal.SIGTERM else b"interrupted\n")
        os._exit(3)

    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, end)
    if _signal.getsignal(_signal.SIGTERM) == _signal.SIG_DFL:
        _signal.signal(_signal.SIGTERM, end)


def _run() -> int:
    import click

    from arcproof.commands import cli
    from arcproof.process.interruption import watch
    from arcproof.transitions.errors import ArcproofError, Contradiction, NotDerivable

    watch()
    _open_what_is_closed()
    _print_anything()
    out = sys.stdout
    try:
        code = _called(cli)
        if sys.stdout is not out:  # so click does where a pipe is closed, and it would exit with 1
            sys.stdout = out
            raise BrokenPipeError
        sys.stdout.flush()
    except click.ClickException as error:
        code = _fail(_message(error), error.exit_code)
    except click.Abort as abort:
        code = _fail(str(abort.__cause__ or "") or "interrupted", 3)
    except NotDerivable as error:
        code = _fail(f"not derivable: {error}", 1)
    except Contradiction as error:
        code = _fail(f"the engines contradict each other: {error}", 4)
    except ArcproofError as error:
        text = str(error)
        code = _fail(text if ": error: " in text else f"error: {text}", 2)
    except ModuleNotFoundError as error:
        from arcproof.process.extras import missing

        told = missing(error)
        if told is None:
            raise
        code = _fail(f"error: {told}", 2)
    except MemoryError as error:
        what = f" ({error})" if str(error) else ""
        code = _fail(f"error: there is not enough memory{what}; ask for fewer words, or give the process more", 3)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 3
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        where = f"{error.filename}: " if error.filename is not None else ""
        code = _fail(f"error: {where}{error.strerror or error}", 2)
    return code if isinstance(code, int) else 0


def _called(cli: "click.Command") -> object:
    """The exit code, if there is one."""
    try:
        return cli(prog_name="arcproof", standalone_mode=False)
    except SystemExit as end:
        return end.code


def _open_what_is_closed() -> None:
    """Where a standard stream is closed (`>&-`), no other file gets its number, and what is printed goes nowhere."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def _print_anything() -> None:
    """Where the terminal cannot show a character, show a question mark."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _message(error: "click.ClickException") -> str:
    """What click says, with `error:` written as everywhere else."""
    import io
    import re

    text = io.StringIO()
    error.show(text)
    return re.sub(r"^Error: ", "error: ", text.getvalue().rstrip("\n"), count=1, flags=re.MULTILINE)


def _fail(message: str, code: int) -> int:
    """Say it; where nobody listens any more, Python must not fail to say it once more at its end."""
    from arcproof.transitions.printing.escape import lines_for_terminal

    try:
        print(lines_for_terminal(message), file=sys.stderr)
        sys.stderr.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    return code


if __name__ == "__main__":
    main()
