"""``adjoin atlas``: print an atlas, draw its map, or check one of your own."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjoin.cli import inputs
from adjoin.cli.parsers import Parser, command
from adjoin.data.atlas import Atlas, AtlasError, NoPathError
from adjoin.playing.console import wrapped
from adjoin.support.names import fold
from adjoin.support.wording import count

if TYPE_CHECKING:
    from adjoin.data.atlas import Region


def add(commands: Any) -> None:
    """Add the command."""
    parser = command(
        commands,
        "atlas",
        "list the shipped atlases, print one, draw its map, or check a CSV file of your own",
        examples=[
            "adjoin atlas",
            "adjoin atlas print uk-counties",
            "adjoin atlas print uk-counties --region Kent",
            "adjoin atlas print uk-counties --region Cornwall --to Kent",
            "adjoin atlas map us-states -O states.png",
            "adjoin atlas map uk-counties --nation Wales --fill Powys=red --fill Gwynedd=#fc0",
            "adjoin atlas check my-map.csv",
            "adjoin play mapominoes -o atlas=my-map.csv",
        ],
        more="Read on: in Python, help(adjoin.Atlas.from_csv) tells which columns a file has.",
    )
    parser.set_defaults(run=_list, parser=parser)
    actions = parser.add_subparsers(title="actions", metavar="print|map|check", parser_class=Parser)
    shown = actions.add_parser("print", help="print the regions, their borders and the waters")
    shown.add_argument("atlas", metavar="NAME|FILE", help="a shipped map or a CSV file")
    shown.add_argument(
        "--region", metavar="R", help="this region alone, and how far all others are"
    )
    shown.add_argument("--to", metavar="R", help="with --region: every shortest way to this region")
    shown.set_defaults(run=_print, parser=shown)
    drawn = actions.add_parser("map", help="draw the map, as .svg, .png or .pdf")
    _add_map(drawn)
    checked = actions.add_parser("check", help="say everything that is wrong with a CSV file")
    checked.add_argument("file", metavar="FILE.csv")
    checked.set_defaults(run=_check, parser=checked)
    for each in (shown, drawn, checked):
        each.add_argument("--waters", metavar="FILE.csv", help="a second file with the waters")
    inputs.add_json(parser)
    for each in (shown, drawn, checked):
        inputs.add_json(each, default=argparse.SUPPRESS)


def _add_map(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("atlas", metavar="NAME|FILE", help="a shipped atlas or a CSV file")
    parser.add_argument("--outlines", metavar="FILE.json", help="GeoJSON or TopoJSON of a CSV file")
    parser.add_argument(
        "--nation",
        dest="nations",
        metavar="NAME",
        action="append",
        help="only a nation or a part of the world; repeat for more",
    )
    styles = parser.add_mutually_exclusive_group()
    styles.add_argument("--blank", action="store_true", help="without names")
    styles.add_argument("--numbered", action="store_true", help="numbers, and what they stand for")
    styles.add_argument("--coloured", action="store_true", help="in the colours of the nations")
    parser.add_argument(
        "--fill",
        metavar="REGION=COLOUR",
        action="append",
        default=[],
        help="the colour of a region, like #d7352c or red; repeat for more",
    )
    parser.add_argument(
        "-O", "--out", metavar="FILE", help=".svg, .png or .pdf (default ATLAS.svg)"
    )
    parser.set_defaults(run=_map, parser=parser)


def _map(arguments: argparse.Namespace) -> int:
    atlas = _atlas(arguments.atlas, arguments.waters, arguments.outlines)
    shown = list(atlas.sub(nations=arguments.nations) if arguments.nations else atlas)
    fill = dict(map(_filled, arguments.fill))
    legend: dict[str, str] = {}
    if arguments.coloured:
        from adjoin.classroom.paper.area_marks import area_marks

        nations = {region.nation for region in shown}
        marks = area_marks(atlas.nations)
        legend = {name: mark.pale for name, mark in marks.items() if name in nations}
        fill = {r.id: legend[r.nation] for r in shown if r.nation in legend} | fill
    drawn = atlas.picture(
        shown,
        fill=fill,
        numbers=shown if arguments.numbered else None,
        labels="none" if arguments.blank else "names",
        legend=legend,
    )
    file = drawn.save(arguments.out or f"{atlas.name}.svg")
    numbers = {n: region.name for n, region in enumerate(shown, 1)} if arguments.numbered else {}
    if arguments.json:
        inputs.print_json({"file": str(file), "numbers": numbers})
        return 0
    print(file)
    if numbers:
        print(wrapped(", ".join(f"{number} {name}" for number, name in numbers.items())))
    return 0


def _filled(text: str) -> tuple[str, str]:
    region, sign, colour = text.rpartition("=")
    if not sign or not region or not colour:
        raise inputs.InputError(f'--fill "{text}": a region and a colour are needed, as Kent=red')
    return region, colour


def _list(arguments: argparse.Namespace) -> int:
    atlases = [Atlas.load(name) for name in Atlas.shipped()]
    if arguments.json:
        inputs.print_json([_sizes(atlas) for atlas in atlases])
        return 0
    for atlas in atlases:
        print(repr(atlas)[len("<Atlas ") : -1])
        print(wrapped(", ".join(atlas.nations), "    "))
    print("\n`adjoin atlas print NAME` shows one, `adjoin atlas check FILE.csv` checks your own.")
    return 0


def _sizes(atlas: Atlas) -> dict[str, Any]:
    return {
        "name": atlas.name,
        "regions": len(atlas),
        "borders": len(atlas.edges),
        "waters": len(atlas.waters),
        "nations": atlas.nations,
    }


def _print(arguments: argparse.Namespace) -> int:
    atlas = _atlas(arguments.atlas, arguments.waters)
    if arguments.to is not None and arguments.region is None:
        raise inputs.InputError("--to needs --region: the way from there")
    if arguments.region is None:
        _print_all(atlas, arguments.json)
    elif arguments.to is None:
        _print_region(atlas, atlas.region(arguments.region), arguments.json)
    else:
        _print_ways(atlas, arguments.region, arguments.to, arguments.json)
    return 0


def _atlas(text: str, waters: str | None, outlines: str | None = None) -> Atlas:
    if fold(text) in map(fold, Atlas.shipped()) and not Path(text).is_file():
        for option, given in (("--waters", waters), ("--outlines", outlines)):
            if given is not None:
                raise inputs.InputError(f"{option} belongs to a CSV file, not to a shipped atlas")
        return Atlas.load(text)
    if not Path(text).exists():
        raise inputs.unknown(f'"{text}": no such file, and not shipped', Atlas.shipped(), text)
    return Atlas.from_csv(text, waters, outlines=outlines)


def _facts(atlas: Atlas, region: Region) -> dict[str, Any]:
    return {
        "id": region.id,
        "name": region.name,
        "abbreviation": region.abbreviation,
        "nations": region.nations,
        "borders": [other.name for other in atlas.borders(region)],
        "waters": [atlas.water(water).name for water in region.waters],
    }


def _print_all(atlas: Atlas, as_json: bool) -> None:
    if as_json:
        regions = [_facts(atlas, region) for region in atlas]
        inputs.print_json({**_sizes(atlas), "regions": regions})
        return
    print(repr(atlas)[len("<Atlas ") : -1])
    for region in atlas:
        facts = _facts(atlas, region)
        lies = ", ".join(facts["borders"]) or "no region"
        waters = f"; {', '.join(facts['waters'])}" if facts["waters"] else ""
        print(wrapped(f"{region.name} ({region.abbreviation}): {lies}{waters}"))
    parts = [part for part in atlas.parts() if len(part) > 1]
    islands = [part[0].name for part in atlas.parts() if len(part) == 1]
    print()
    sizes = ", ".join(count(len(part), "region") for part in parts)
    print(f"{count(len(parts), 'connected part')}: {sizes}" if parts else "no borders")
    if islands:
        print(wrapped(f"bordering no region: {', '.join(islands)}"))


def _print_region(atlas: Atlas, region: Region, as_json: bool) -> None:
    facts = _facts(atlas, region)
    far: dict[int, list[str]] = {}
    for other in atlas:
        if other.id != region.id:
            try:
                far.setdefault(atlas.distance(region, other), []).append(other.name)
            except NoPathError:
                far.setdefault(0, []).append(other.name)
    out_of_reach = far.pop(0, [])
    if as_json:
        by_distance = {str(steps): far[steps] for steps in sorted(far)}
        inputs.print_json({**facts, "distance": by_distance, "out of reach": out_of_reach})
        return
    nations = f", {', '.join(region.nations)}" if region.nations else ""
    print(f"{region.name} ({region.abbreviation}){nations}")
    print(wrapped(f"borders: {', '.join(facts['borders']) or 'no region'}"))
    if facts["waters"]:
        print(wrapped(f"waters: {', '.join(facts['waters'])}"))
    for steps in sorted(far):
        if steps > 1:
            print(wrapped(f"{steps} borders away: {', '.join(far[steps])}"))
    if out_of_reach:
        print(wrapped(f"no way over land: {', '.join(out_of_reach)}"))


def _print_ways(atlas: Atlas, start: str, end: str, as_json: bool) -> None:
    ways = [[region.name for region in way] for way in atlas.paths(start, end)]
    if as_json:
        inputs.print_json({"borders crossed": len(ways[0]) - 1, "ways": ways})
        return
    print(f"{count(len(ways[0]) - 1, 'border')} to cross, {count(len(ways), 'shortest way')}:")
    for way in ways:
        print(wrapped(" - ".join(way), "  "))


def _check(arguments: argparse.Namespace) -> int:
    try:
        atlas = Atlas.from_csv(arguments.file, arguments.waters)
    except AtlasError as error:
        if arguments.json:
            inputs.print_json({"fine": False, "problems": error.problems})
        else:
            print("\n".join(error.problems))
            print(f"\n{count(len(error.problems), 'problem')} in {arguments.file}")
        return 1
    if arguments.json:
        inputs.print_json({"fine": True, "problems": [], **_sizes(atlas)})
    else:
        print(f"fine: {repr(atlas)[len('<Atlas ') : -1]}")
    return 0
