"""`python -m arcproof`, and the `arcproof` command."""

import os
import sys

TYPE_CHECKING = False  # what is imported here delays `_end_at_once`
if TYPE_CHECKING:
    import click

RARELY = 100_000
"""How many objects are made between two runs of the garbage collector: imports make many and leave no garbage."""

BUG = 70
"""The exit code of an error inside arcproof, as in BSD's `sysexits`."""

CLOSED_PIPE = 141
"""What a shell reports of a program that SIGPIPE ended, 128 + 13: no verdict, and scripts with `pipefail` know it."""


def main() -> None:
    """Run the command line; an error that a user or a machine can cause ends with a message and its exit code, never a
    traceback.
    """
    _end_at_once()
    import atexit
    import gc

    gc.set_threshold(RARELY)
    atexit.register(gc.freeze)  # or Python would look for garbage once more, for as long as a large search lasts
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
    """Show where arcproof failed; Python's own exit code for a crash, 1, would mean that something is refuted."""
    import traceback

    lines = traceback.format_exc()
    return _fail(f"{lines}error: this is a bug in arcproof, not a result; please report it with the lines above", BUG)


def _end_at_once() -> None:
    """End at once on Ctrl-C or SIGTERM until the work begins: there is nothing to show yet. `watch` takes over then."""
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
        code = _fail(f"error: not enough memory{what}; ask for fewer words, or give the process more memory", 3)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = CLOSED_PIPE
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = _fail(f"error: {_about(error)}", 2)
    return code if isinstance(code, int) else 0


def _about(error: OSError) -> str:
    """Say what the system refused, and of which file; pipes between processes are files without a name."""
    import errno

    where = f"{error.filename}: " if error.filename is not None else ""
    advice = ""
    if error.errno == errno.EMFILE:
        advice = "; use fewer processes (--jobs 1), or raise the limit on open files (`ulimit -n`)"
    return f"{where}{error.strerror or error}{advice}"


def _called(cli: "click.Command") -> object:
    """Run the command; return its exit code, if there is one."""
    try:
        return cli(prog_name="arcproof", standalone_mode=False)
    except SystemExit as end:
        return end.code


def _open_what_is_closed() -> None:
    """Open closed standard streams (`>&-`) on the null device, so that no other file gets their numbers."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def _print_anything() -> None:
    """Print a question mark for a character that the terminal cannot show."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _message(error: "click.ClickException") -> str:
    """Return click's message, with `error:` written as everywhere else."""
    import io
    import re

    text = io.StringIO()
    error.show(text)
    return re.sub(r"^Error: ", "error: ", text.getvalue().rstrip("\n"), count=1, flags=re.MULTILINE)


def _fail(message: str, code: int) -> int:
    """Print a message; if standard error is closed, drop it, so that Python does not fail again when it exits."""
    from arcproof.transitions.printing.escape import lines_for_terminal

    try:
        print(lines_for_terminal(message), file=sys.stderr)
        sys.stderr.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    return code


if __name__ == "__main__":
    main()
