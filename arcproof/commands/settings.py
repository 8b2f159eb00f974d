"""Options from the environment and from `[tool.arcproof]` of a `pyproject.toml`.

The command line comes first, then the environment, then the file, then the default; within the environment
and the file, what is set for one command comes before what is set for all.

- Environment: `ARCPROOF_VERIFY_WORDS` is `--words` of `verify`; `ARCPROOF_JOBS` is `--jobs` of every command that has
  it.  Only options that mean the same everywhere can be set for all commands at once (`FOR_ALL`).
- File: `words` in `[tool.arcproof.verify]`, `jobs` in `[tool.arcproof]`.  It is the `pyproject.toml` of the working
  directory or of the nearest folder above it that has such a table, up to the root of the repository or the home
  directory.

A file may come with a foreign folder, so it may only set what cannot do harm: numbers, durations, sizes, choices and
switches.  Options that name files, folders or addresses, and those that decide what is asked, are refused there.
What a file sets is printed on standard error, so that no verdict depends on it unseen.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from stat import S_IWOTH
from typing import Any, Final

import click

from arcproof.commands.options import Duration, MemorySize, Shared
from arcproof.process.lazy_dataclass import dataclass

PREFIX: Final = "ARCPROOF"
FILE: Final = "pyproject.toml"
SECTION: Final = "tool.arcproof"
SWITCH: Final = "ARCPROOF_CONFIG"
"""The variable that, set to `off`, keeps any file from being read."""
MOST_FOLDERS: Final = 40
MOST_BYTES: Final = 1_000_000
FOR_ALL: Final = ("engine", "fresh", "jobs", "memory", "proofs", "samples", "seed", "timeout", "words")
"""Options that mean the same in every command that has them as a `Shared` one."""
WITHOUT: Final = ("runs", "new", "lsp", "completion")
"""Commands that take nothing from the environment or the file: they only manage files, or have no settings."""
BY_HAND: Final = ("check", "derive", "drivers", "expect-gold", "open", "port", "quiz")
"""Options that decide what is asked or open a port, although they are switches or numbers."""


@dataclass(frozen=True)
class Setting:
    """A value as written, and where it was set; `file` is given if that was in a file."""

    value: object
    where: str
    file: Path | None = None


class BadSettings(click.UsageError):
    """A setting that is not valid."""


# --- what an option is called ----------------------------------------------------------------------------------------


def key_of(option: click.Option) -> str:
    """The name of an option in a file: `sample-words`."""
    return max(option.opts, key=len).removeprefix("--")


def variables_of(command: str, option: click.Option) -> list[str]:
    """The environment variables of an option, in the order in which they are looked up."""
    name = key_of(option).replace("-", "_").upper()
    own = f"{PREFIX}_{command.replace('-', '_').upper()}_{name}"
    return [own, f"{PREFIX}_{name}"] if is_for_all(option) else [own]


def is_for_all(option: click.Option) -> bool:
    """Whether the option can be set for all commands at once."""
    return isinstance(option, Shared) and key_of(option) in FOR_ALL


def may_be_in_file(option: click.Option) -> bool:
    """Whether a file may set the option: it must not name files, folders or addresses."""
    kinds = click.types.IntParamType, click.types.FloatParamType, click.Choice, Duration, MemorySize
    is_harmless = option.is_flag or isinstance(option.type, kinds)
    return is_harmless and not option.multiple and key_of(option) not in BY_HAND


# --- what is set -----------------------------------------------------------------------------------------------------


def settings_of(command: click.Command, name: str) -> dict[str, Setting]:
    """The settings that the environment and the file make for a command, by the names of its parameters."""
    if name in WITHOUT:
        return {}
    options = {key_of(option): option for option in command.params if isinstance(option, click.Option)}
    _check_variables(name, options)
    found = {str(options[key].name): setting for key, setting in _from_file(name, options)}
    for option in options.values():
        variable = next((one for one in variables_of(name, option) if os.environ.get(one)), None)
        if variable is not None:
            value = os.environ[variable]
            found[str(option.name)] = Setting(value.split() if option.multiple else value, f"${variable}")
    return found


def _check_variables(name: str, options: Mapping[str, click.Option]) -> None:
    """`BadSettings` if a variable for this command is not one of its options."""
    own = f"{PREFIX}_{name.replace('-', '_').upper()}_"
    known = {variables_of(name, option)[0].removeprefix(own): option for option in options.values()}
    others = tuple(f"{PREFIX}_{one.replace('-', '_').upper()}_" for one in _longer_names(name))
    for variable, value in sorted(os.environ.items()):
        if value and variable.startswith(own) and not variable.startswith(others):
            option = variable.removeprefix(own)
            if option not in known:
                raise BadSettings(_unknown(f"${variable}", f"such option of {name}", option, tuple(known)))


def _longer_names(name: str) -> list[str]:
    """The commands whose names begin with this one."""
    from arcproof.commands import COMMANDS

    return [one for one in COMMANDS if one.startswith(f"{name}-")]


def _from_file(name: str, options: Mapping[str, click.Option]) -> Iterator[tuple[str, Setting]]:
    """Yield what is set for all commands, then what is set for this one."""
    place = _file()
    if place is None:
        return
    path, section = place
    from arcproof.commands import COMMANDS

    for key, value in section.items():
        if isinstance(value, dict):
            if key not in COMMANDS:
                raise BadSettings(_unknown(f"[{SECTION}.{key}] of {path}", "command of this name", key, COMMANDS))
            if key in WITHOUT:
                raise BadSettings(
                    f"[{SECTION}.{key}] of {path}: {key} takes no settings from a file; remove this table"
                )
        elif key not in FOR_ALL:
            raise BadSettings(_not_for_all(key, COMMANDS, path))
        elif key in options and is_for_all(options[key]):
            yield key, _setting(value, options[key], key, SECTION, path)
    for key, value in section.get(name, {}).items():
        table = f"{SECTION}.{name}"
        where = f"[{table}] of {path}"
        if key not in options:
            raise BadSettings(_unknown(f"`{key}` in {where}", "option of this name", key, options))
        if not may_be_in_file(options[key]):
            raise BadSettings(
                f"`{key}` in {where}: a file may set numbers, durations, sizes, choices and switches, but not what "
                f"is asked or where something is written, read or reached; give --{key} on the command line"
            )
        yield key, _setting(value, options[key], key, table, path)


def _setting(value: object, option: click.Option, key: str, table: str, path: Path) -> Setting:
    """Return a value from the file; numbers are read as they would be on the command line."""
    place = f"`{key}` in [{table}] of {path}"
    if isinstance(value, bool) != bool(option.is_flag) or not isinstance(value, bool | int | float | str):
        wanted = "true or false" if option.is_flag else "a number or a text"
        raise BadSettings(f"{place}: this must be {wanted}, not {_shown(value)}")
    return Setting(value if option.is_flag else str(value), place, path)


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value!r:.40}"


def _unknown(where: str, kind: str, key: str, known: "Mapping[str, object] | tuple[str, ...]") -> str:
    from arcproof.process.suggestions import did_you_mean

    shown = "".join(character if character.isprintable() else "?" for character in where)
    return f"{shown}: there is no {kind}; {did_you_mean(key, known, 'known: ' + ', '.join(known))}"


def _not_for_all(key: str, commands: tuple[str, ...], path: Path) -> str:
    if key in commands:
        return f"`{key}` in [{SECTION}] of {path}: settings of a command go in a table, [{SECTION}.{key}]"
    return _unknown(f"`{key}` in [{SECTION}] of {path}", "such option for all commands", key, FOR_ALL)


# --- the file --------------------------------------------------------------------------------------------------------


def _file() -> tuple[Path, dict[str, Any]] | None:
    """The nearest file with settings, and its table."""
    if os.environ.get(SWITCH, "").lower() == "off":
        return None
    for folder in _folders():
        path = folder / FILE
        text = _text(path)
        if text is not None and SECTION.encode() in text:
            section = _section(path, text)
            if section is not None:
                return path, section
    return None


def _folders() -> Iterator[Path]:
    """The working directory and its parents, up to the root of the repository, the home directory or the root."""
    try:
        here = Path.cwd()
    except OSError:
        return
    home = os.path.expanduser("~")
    for folder in (here, *here.parents)[:MOST_FOLDERS]:
        if folder != here and os.stat(folder).st_mode & S_IWOTH:
            return  # anybody may put a file there
        yield folder
        if str(folder) == home or (folder / ".git").exists():
            return


def _text(path: Path) -> bytes | None:
    """Read a file, unless it is unreadable, too large, or a pipe, which would make us wait."""
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return None
        return path.read_bytes()
    except OSError:
        return None


def _section(path: Path, text: bytes) -> dict[str, Any] | None:
    """The table of settings; None if its name occurs only elsewhere in the file."""
    import tomllib

    try:
        document = tomllib.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadSettings(f"{path}: this is not TOML, so its settings cannot be read: {error}") from None
    tools = document.get("tool", {})
    section = tools.get("arcproof") if isinstance(tools, dict) else None
    if section is not None and not isinstance(section, dict):
        raise BadSettings(f"`arcproof` in [tool] of {path}: this must be a table, [{SECTION}]")
    return section


# --- what is printed about it ----------------------------------------------------------------------------------------


def told(ctx: click.Context, settings: Mapping[str, Setting]) -> str | None:
    """Say which settings of a file a command uses; None if there are none."""
    used = [
        (option, settings[str(option.name)])
        for option in ctx.command.params
        if isinstance(option, click.Option)
        and option.name in settings
        and ctx.get_parameter_source(str(option.name)) is click.core.ParameterSource.DEFAULT_MAP
        and settings[option.name].file is not None
    ]
    if not used:
        return None
    values = ", ".join(
        f"--{key_of(option)}" + ("" if option.is_flag else f" {setting.value}") for option, setting in used
    )
    return f"settings of {used[0][1].file}: {values}"
