"""`python -m arcproof`, and the `arcproof` command."""

import os
import sys


def main() -> None:
    """Run the command line; errors of the user's making end with a message, never a traceback."""
    from arcproof.commands import cli
    from arcproof.transitions.errors import ArcproofError, NotDerivable

    try:
        cli(prog_name="arcproof")
    except NotDerivable as error:
        print(f"not derivable: {error}", file=sys.stderr)
        sys.exit(1)
    except ArcproofError as error:
        print(f"error: {error}" if "\n" not in str(error) and ": error: " not in str(error) else error, file=sys.stderr)
        sys.exit(2)
    except Exception as error:
        if type(error).__name__ != "ReplayFailed":
            raise
        print(f"the engines contradict each other: {error}", file=sys.stderr)
        sys.exit(4)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


if __name__ == "__main__":
    main()
