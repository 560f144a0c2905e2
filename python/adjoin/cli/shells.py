"""Scripts for bash, zsh and fish that complete what is typed, made from what the parsers know."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence

from adjoin.cli.syntax import Command, Value, game_options
from adjoin.core.spec import games

_TABLES = """\
_adjoin_is_command() {
  case "$1" in
%(commands)s
    *) return 1 ;;
  esac
}

# Of a command: the words that can follow, its options, and what its places take.
_adjoin_command() {
  case "$1" in
%(places)s
  esac
}

# What follows an option; nothing does where this fails.
_adjoin_option() {
  case "$1 $2" in
%(options)s
    *) return 1 ;;
  esac
}

_adjoin_games() {
  case "$1" in
%(games)s
    *) offers=() ;;
  esac
}
"""
"""What bash and zsh look up; they read it alike."""

_BASH = """\
# What bash completes after `adjoin`: source <(adjoin completion bash)

%(tables)s
_adjoin() {
  local cur=${COMP_WORDS[COMP_CWORD]} at= game= word i
  local -a offers=() flags=()
  local files= takes_game= takes_key= repeats=
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if _adjoin_is_command "${at:+$at }$word"; then at="${at:+$at }$word"; fi
    case "$word" in %(all_games)s) game=$word ;; esac
  done
  for ((i = COMP_CWORD - 1; i > 0; i--)); do
    case "${COMP_WORDS[i]}" in -*) break ;; esac
  done
  if ((i == 0)) || ! _adjoin_option "$at" "${COMP_WORDS[i]}" ||
    { ((i < COMP_CWORD - 1)) && [ -z "$repeats" ]; }; then
    offers=() files= takes_game= takes_key=
    _adjoin_command "$at"
  fi
  if [ -n "$takes_game" ] && [ -z "$game" ]; then offers+=(%(game_words)s); fi
  if [ -n "$takes_key" ]; then _adjoin_games "$game"; fi
  case "$cur" in -*) offers=("${flags[@]}") files= ;; esac
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "${offers[*]}" -- "$cur"))
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$cur"))
  fi
  case "${COMPREPLY[0]-}" in *=) compopt -o nospace 2>/dev/null ;; esac
}

complete -F _adjoin adjoin
"""

_ZSH = """\
#compdef adjoin
# What zsh completes after `adjoin`: source <(adjoin completion zsh), after compinit.

%(tables)s
_adjoin() {
  local at= game= word i
  local files= takes_game= takes_key= repeats=
  local -a typed flags
  typed=("${words[@]}")
  local -a offers
  for ((i = 2; i < CURRENT; i++)); do
    word=${typed[i]}
    if _adjoin_is_command "${at:+$at }$word"; then at="${at:+$at }$word"; fi
    case "$word" in %(all_games)s) game=$word ;; esac
  done
  for ((i = CURRENT - 1; i > 1; i--)); do
    case "${typed[i]}" in -*) break ;; esac
  done
  if ((i < 2)) || ! _adjoin_option "$at" "${typed[i]}" ||
    { ((i < CURRENT - 1)) && [ -z "$repeats" ]; }; then
    offers=() files= takes_game= takes_key=
    _adjoin_command "$at"
  fi
  if [ -n "$takes_game" ] && [ -z "$game" ]; then offers+=(%(game_words)s); fi
  if [ -n "$takes_key" ]; then _adjoin_games "$game"; compadd -S '' -- "${offers[@]}"; return; fi
  case "${typed[CURRENT]}" in -*) compadd -- "${flags[@]}"; return ;; esac
  compadd -- "${offers[@]}"
  if [ -n "$files" ]; then _files; fi
}

if [ "$funcstack[1]" = "_adjoin" ]; then _adjoin "$@"; else compdef _adjoin adjoin; fi
"""

_FISH = """\
# What fish completes after `adjoin`: adjoin completion fish | source

function __adjoin_at
    set -l at
    for word in (commandline -opc)[2..]
        switch (string join -- ' ' $at $word)
            case %(commands)s
                set -a at $word
        end
    end
    set -l path (string join -- ' ' $at)
    test "$path" = "$argv[1]"
end

function __adjoin_plays
    contains -- $argv[1] (commandline -opc)
end

function __adjoin_after
    set -l dashed (string match -- '-*' (commandline -opc))
    test "$dashed[-1]" = $argv[1]
end

function __adjoin_needs_game
    for game in %(all_games)s
        __adjoin_plays $game; and return 1
    end
    return 0
end

complete -c adjoin -f
%(lines)s
"""


def bash(commands: Sequence[Command]) -> str:
    """Return the script for bash."""
    return _BASH % _looked_up(commands)


def zsh(commands: Sequence[Command]) -> str:
    """Return the script for zsh."""
    return _ZSH % _looked_up(commands)


def fish(commands: Sequence[Command]) -> str:
    """Return the script for fish."""
    paths = [" ".join(each.path) for each in commands]
    lines = [line for each in commands for line in _fish_lines(each)]
    return _FISH % {
        "commands": _listed(path for path in paths if path),
        "all_games": " ".join(games()),
        "lines": "\n".join(lines),
    }


SHELLS: dict[str, Callable[[Sequence[Command]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""Who writes the script of a shell."""


def _fish_lines(each: Command) -> Iterator[str]:
    """Yield what fish is told of a command."""
    at = f"__adjoin_at {_quoted(' '.join(each.path))}"
    for name, meaning in each.actions.items():
        yield _fish_line(at, f"-a {_quoted(name)} -d {_quoted(meaning)}")
    for place in each.places:
        yield from _fish_place(at, place)
    for option in each.options:
        dashes = ("-l" if name.startswith("--") else "-s" for name in option.names)
        pairs = zip(dashes, option.names, strict=True)
        names = " ".join(f"{dash} {name.lstrip('-')}" for dash, name in pairs)
        told = f"{names} -d {_quoted(option.meaning)}"
        value = option.value
        if value is None:
            yield _fish_line(at, told)
            continue
        offered = f" -a {_quoted(' '.join(value.words))}" if value.words else ""
        yield _fish_line(at, f"{told} -r {'-F' if value.is_file else '-f'}{offered}")
        if value.is_repeated:
            yield from _fish_place(f"{at}; and __adjoin_after {option.names[-1]}", value)
        if value.is_game_option:
            for game, keys in game_options().items():
                where = f"{at}; and __adjoin_plays {game}"
                yield _fish_line(where, f"{names} -x -a {_quoted(' '.join(keys))}")


def _fish_place(where: str, place: Value) -> Iterator[str]:
    """Yield what fish is told of a place."""
    if place.words:
        yield _fish_line(where, f"-a {_quoted(' '.join(place.words))}")
    if place.is_game:
        yield _fish_line(f"{where}; and __adjoin_needs_game", f"-a {_quoted(' '.join(games()))}")
    if place.is_file:
        yield _fish_line(where, "-F")


def _fish_line(where: str, told: str) -> str:
    return f"complete -c adjoin -n {_quoted(where)} {told}"


def _looked_up(commands: Sequence[Command]) -> dict[str, str]:
    """Return what the scripts for bash and zsh look up."""
    paths = [" ".join(each.path) for each in commands]
    places = []
    for path, each in zip(paths, commands, strict=True):
        place = _together(each.places)
        flags = _listed(name for option in each.options for name in option.names)
        offers = _listed([*each.actions, *place.words])
        places.append(f"    {_quoted(path)}) offers=({offers}) flags=({flags}) {_taken(place)};;")
    options = [
        f"    {'|'.join(_quoted(f'{path} {name}') for name in option.names)}) "
        f"offers=({_listed(option.value.words)}) {_taken(option.value)};;"
        for path, each in zip(paths, commands, strict=True)
        for option in each.options
        if option.value is not None
    ]
    keys = [f"    {game}) offers=({_listed(names)}) ;;" for game, names in game_options().items()]
    tables = _TABLES % {
        "commands": f"    {'|'.join(_quoted(path) for path in paths if path)}) ;;",
        "places": "\n".join(places),
        "options": "\n".join(options),
        "games": "\n".join(keys),
    }
    return {"tables": tables, "all_games": "|".join(games()), "game_words": _listed(games())}


def _together(values: Sequence[Value]) -> Value:
    """Return what can stand in any of several places."""
    return Value(
        words=tuple(word for value in values for word in value.words),
        is_game=any(value.is_game for value in values),
        is_file=any(value.is_file for value in values),
    )


def _taken(value: Value) -> str:
    """Return what a shell is told of a place, beside its words."""
    flags = {
        "takes_game": value.is_game,
        "takes_key": value.is_game_option,
        "files": value.is_file,
        "repeats": value.is_repeated,
    }
    return "".join(f"{name}=1 " for name, is_so in flags.items() if is_so)


def _listed(words: Iterable[str]) -> str:
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    return shlex.quote(word)
