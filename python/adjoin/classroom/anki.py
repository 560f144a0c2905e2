"""Flashcards as files for Anki. Needs ``adjoin[anki]``."""

from __future__ import annotations

import itertools
import json
import sqlite3
import time
import zipfile
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from adjoin.classroom.paper.location_maps import members
from adjoin.data.atlas import Atlas, Region
from adjoin.drawing.maps import UNIT, MapDrawing, Marks
from adjoin.drawing.sheet import Box, Drawing
from adjoin.drawing.svg import svg
from adjoin.support.extras import need
from adjoin.support.names import ident

if TYPE_CHECKING:
    from adjoin.classroom.flashcard_deck import Flashcards, Note

_EXTRA = "adjoin[anki]"
_HERE, _NEAR = "#d55e00", "#7db8e0"
"""The region, and what it borders."""

_SIZE = (100.0, 110.0)
"""The size of pictures."""

_MOST = 60
"""How many regions a map has at most, before it shows one nation alone."""

_COARSE = 1.6
"""How much simpler than they could be outlines are: a deck has hundreds of maps."""

_STYLE = """\
.card { font-family: sans-serif; font-size: 26px; text-align: center; }
.card { color: #111; background: #fff; }
.cloze { font-weight: bold; color: #0072b2; }
.nightMode.card { color: #eee; background: #222; }
.nightMode .cloze { color: #56b4e9; }
img { max-width: 95%; max-height: 60vh; margin-top: 12px; background: #fff; }
"""

_CREDITS = {
    "uk-counties": "Contains OS data © Crown copyright and database right 2013–2023. Contains "
    "National Statistics and National Records of Scotland data © Crown copyright and database "
    "right 2013. Source: Office for National Statistics licensed under the Open Government "
    "Licence v3.0.",
}


def save(cards: Flashcards, file: Path) -> None:
    """Write a file that Anki imports: a deck for every nation, maps as pictures."""
    genanki = need("genanki", _EXTRA)
    models = _models(genanki)
    atlas = cards.source if isinstance(cards.source, Atlas) else None
    decks: dict[tuple[str, ...], Any] = {}
    for number, note in enumerate(cards.notes):
        deck = decks.get(note.deck)
        if deck is None:
            name = "::".join(note.deck)
            words = f"Made by adjoin. {_CREDITS.get(note.atlas, '')}".strip()
            deck = decks[note.deck] = genanki.Deck(_number(f"deck {name}"), name, words)
        deck.add_note(_note(genanki, models, note, atlas, number))
    pictures = _pictures(atlas, cards.notes) if atlas is not None else {}
    _write(genanki.Package(list(decks.values())), pictures, file)


def _write(package: Any, pictures: dict[str, str], file: Path) -> None:
    """Write a package; its own way to do so leaves a file behind and does not pack."""
    now = time.time()
    with TemporaryDirectory() as place:
        database = Path(place) / "collection.anki2"
        with closing(sqlite3.connect(database)) as connection:
            package.write_to_db(connection.cursor(), now, itertools.count(int(now * 1000)))
            connection.commit()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.write(database, database.name)
            packed.writestr("media", json.dumps(dict(enumerate(pictures))))
            for number, content in enumerate(pictures.values()):
                packed.writestr(str(number), content)


def _number(text: str) -> int:
    """Return a number that stands for a text, as Anki wants them."""
    return 2**30 + int(sha256(text.encode()).hexdigest()[:7], 16)


def _models(genanki: Any) -> dict[str, Any]:
    """Return the three types of notes; Anki knows them by their numbers."""

    def model(
        name: str, fields: Iterable[str], templates: list[tuple[str, str, str]], form: int
    ) -> Any:
        return genanki.Model(
            _number(f"model {name}"),
            f"adjoin {name}",
            fields=[{"name": field} for field in fields],
            templates=[{"name": n, "qfmt": front, "afmt": back} for n, front, back in templates],
            css=_STYLE,
            model_type=form,
        )

    plain, gaps = genanki.Model.FRONT_BACK, genanki.Model.CLOZE
    front = "{{FrontSide}}<hr id=answer>"
    which = ("Which is it", "{{Question}}<br>{{Map}}", front + "<b>{{Name}}</b>")
    where = (
        "Where is it",
        "{{Where}}<br>{{Empty}}",
        "<b>{{Name}}</b><br>{{Map}}",
    )
    asked = ("Question", "{{Question}}", front + "{{Answer}}<br>{{Map}}")
    gap = ("Gap", "{{cloze:Text}}", "{{cloze:Text}}<br>{{Map}}")
    return {
        "map": model("map", ("Question", "Name", "Where", "Map", "Empty"), [which, where], plain),
        "question": model("question", ("Question", "Answer", "Map"), [asked], plain),
        "gaps": model("gaps", ("Text", "Map"), [gap], gaps),
    }


def _note(
    genanki: Any, models: dict[str, Any], note: Note, atlas: Atlas | None, number: int
) -> Any:
    map_ = _image(atlas, atlas[note.map]) if atlas is not None else ""
    if note.blanks:
        return _made(genanki, models["gaps"], [_cloze(note), map_], note, number)
    texts = [escape(str(part)) for part in note.parts]
    if note.kind == "map":
        assert atlas is not None
        empty = _image(atlas, atlas[note.map], marked=False)
        return _made(genanki, models["map"], [*texts, map_, empty], note, number)
    return _made(genanki, models["question"], [*texts, map_], note, number)


def _made(genanki: Any, model: Any, fields: list[str], note: Note, number: int) -> Any:
    tags = list(note.tags)
    return genanki.Note(model, fields, guid=note.guid, tags=tags, due=number)


def _cloze(note: Note) -> str:
    text, number = "", 0
    for part in note.parts:
        if isinstance(part, str):
            text += escape(part)
        else:
            number += 1
            text += f"{{{{c{number}::{escape(part.name)}::{escape(part.hint)}}}}}"
    return text


# Maps.


def _shown(atlas: Atlas, nation: str) -> str:
    """Return the nation that a map shows; none if it shows the whole atlas."""
    return nation if len(atlas) > _MOST and len(atlas.nations) > 1 else ""


def _name(atlas: Atlas, nation: str, region: Region | None = None) -> str:
    """Return the name of the file with a map."""
    if region is not None:
        return f"adjoin-{ident(atlas.name)}-{region.id}.svg"
    return f"adjoin-map-{ident(atlas.name)}-{ident(nation) or 'all'}.svg"


def _image(atlas: Atlas, of: Region, *, marked: bool = True) -> str:
    if not atlas.has_map:
        return ""
    name = _name(atlas, _shown(atlas, of.nation), of if marked else None)
    return f'<img src="{escape(name)}">'


def _pictures(atlas: Atlas, notes: Iterable[Note]) -> dict[str, str]:
    """Return the maps that notes show, by the names of their files."""
    if not atlas.has_map:
        return {}
    drawn: dict[str, tuple[str, Region | None]] = {}
    for note in notes:
        region = atlas[note.map]
        nation = _shown(atlas, region.nation)
        drawn[_name(atlas, nation, region)] = nation, region
        if note.kind == "map":
            drawn[_name(atlas, nation)] = nation, None
    maps = {
        nation: MapDrawing.needed(
            atlas, members(atlas, nation), Box(0, 0, *_SIZE), unit=_COARSE * UNIT
        )
        for nation in dict.fromkeys(nation for nation, _ in drawn.values())
    }
    return {name: picture(maps[nation], marked) for name, (nation, marked) in drawn.items()}


def picture(on: MapDrawing, region: Region | None = None) -> str:
    """Return a map; a region and what it borders are marked."""
    on = on.moved(0, 0)
    drawing = Drawing(on.box.wide, on.box.high)
    fills = dict.fromkeys(region.borders, _NEAR) | {region.id: _HERE} if region else {}
    on.draw(drawing, Marks(fills, [region.id] if region else []))
    return svg(drawing, "map")
