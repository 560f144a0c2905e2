"""To take home: what the files for Anki and spreadsheets say is what the tables say."""

from __future__ import annotations

import csv
import functools
import html
import json
import re
import sqlite3
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from adjoin.classroom import ClassroomError, Quiz, facts_csv, flashcards, questions_csv
from adjoin.classroom.paper.location_maps import members
from adjoin.data.atlas import Atlas
from adjoin.data.deck import Deck
from adjoin.drawing.maps import UNIT, MapDrawing
from adjoin.drawing.sheet import Box
from adjoin.support.names import UnknownNameError
from scaffold import cases

SVG = "{http://www.w3.org/2000/svg}"
GAP = re.compile(r"\{\{c(\d+)::(.+?)::(.+?)\}\}")
ATLASES = ("uk-counties", "world-countries", "us-states")


class AnkiNote(NamedTuple):
    """A note as a file for Anki has it."""

    guid: str
    model: str
    fields: dict[str, str]
    tags: list[str]
    decks: set[str]
    cards: int


class AnkiFile:
    """What is in a file for Anki."""

    def __init__(self, path: Path, folder: Path) -> None:
        with zipfile.ZipFile(path) as package:
            package.extractall(folder)
            names = json.loads(package.read("media"))
            self.pictures = {name: package.read(key).decode() for key, name in names.items()}
        database = sqlite3.connect(folder / "collection.anki2")
        models, decks = map(
            json.loads, database.execute("select models, decks from col").fetchone()
        )
        cards: dict[int, list[str]] = {}
        for note, deck in database.execute("select nid, did from cards"):
            cards.setdefault(note, []).append(decks[str(deck)]["name"])
        self.notes = []
        for key, guid, model, fields, tags in database.execute(
            "select id, guid, mid, flds, tags from notes order by id"
        ):
            names = [field["name"] for field in models[str(model)]["flds"]]
            values = dict(zip(names, fields.split("\x1f"), strict=True))
            name = models[str(model)]["name"]
            inside = set(cards[key])
            self.notes.append(AnkiNote(guid, name, values, tags.split(), inside, len(cards[key])))
        database.close()

    def of(self, kind: str) -> list[AnkiNote]:
        return [note for note in self.notes if kind in note.tags]


@functools.cache
def written(atlas: str, nations: str | None = None) -> AnkiFile:
    pytest.importorskip("genanki", reason="files for Anki need `pip install adjoin[anki]`")
    with TemporaryDirectory() as place:
        path = flashcards(atlas, nations=nations).save(Path(place) / "cards.apkg")
        return AnkiFile(path, Path(place))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def plain(name: str) -> str:
    return html.unescape(name).removeprefix("the ").removeprefix("The ")


# Anki.


@cases("name", ATLASES)
def test_every_border_is_asked_once_from_each_side_and_no_other(name: str) -> None:
    atlas = Atlas.load(name)
    notes = written(name).of("borders")
    found = {}
    for note in notes:
        text = note.fields["Text"]
        gaps = GAP.findall(text)
        assert note.cards == len(gaps) == len({number for number, _, _ in gaps})
        subject = plain(text.split(" borders {{")[0])
        found[subject] = {plain(answer) for _, answer, _ in gaps}
    assert found == {
        plain(region.name): {plain(other.name) for other in atlas.borders(region)}
        or {
            f"no {'county' if name == 'uk-counties' else 'country' if 'world' in name else 'state'}"
        }
        for region in atlas
    }


@cases("name", ATLASES)
def test_every_region_has_its_waters_nations_and_neighbours(name: str) -> None:
    atlas = Atlas.load(name)
    file = written(name)
    seas = {
        plain(note.fields["Text"].split(" touches {{")[0]): {
            (plain(answer), kind) for _, answer, kind in GAP.findall(note.fields["Text"])
        }
        for note in file.of("seas")
    }
    assert seas == {
        plain(region.name): {(atlas.water(w).name, atlas.water(w).kind) for w in region.waters}
        or {("no sea", "seas")}
        for region in atlas
    }
    nations = {
        plain(re.sub(r"Which .+? is (.+) in\?", r"\1", note.fields["Question"])): note
        for note in file.of("nation")
        if "part of " not in note.fields["Question"] or name != "uk-counties"
    }
    telling = {r.id for r in atlas if any(nation[:6] in r.name for nation in r.nations)}
    assert {plain(r.name) for r in atlas if r.id not in telling} <= set(nations)
    for region in (region for region in atlas if plain(region.name) in nations):
        answer = html.unescape(nations[plain(region.name)].fields["Answer"])
        named = {
            nation for nation in atlas.nations if re.search(rf"\b{re.escape(nation)}\b", answer)
        }
        assert set(region.nations) <= named
        assert all(any(one in other for other in region.nations) for one in named)
    for note in file.of("from_neighbours"):
        question = html.unescape(note.fields["Question"])
        clues = re.sub(r"Which \w+ borders (.+)\?", r"\1", question).replace(" and ", ", ")
        of = atlas[html.unescape(note.fields["Answer"])]
        for other in atlas.borders(of):
            assert other.name.replace(" and ", ", ") in clues
        both = [set(atlas.borders(other)) for other in atlas.borders(of)]
        assert set.intersection(*both) == {of}, question


@functools.cache
def nation_map(atlas: Atlas, nation: str) -> MapDrawing:
    return MapDrawing.needed(atlas, members(atlas, nation), Box(0, 0, 100, 110), unit=1.6 * UNIT)


def test_maps_mark_the_region_and_what_it_borders() -> None:
    atlas = Atlas.load("uk-counties")
    file = written("uk-counties")
    notes = file.of("map")
    assert [note.fields["Name"] for note in notes] == list(atlas.names)
    assert all(note.cards == 2 for note in notes)
    for note in notes:
        names = [re.findall('src="(.+?)"', note.fields[field])[0] for field in ("Map", "Empty")]
        marked, empty = (ElementTree.fromstring(file.pictures[name]) for name in names)
        shapes: dict[str | None, int] = {}
        for shape in marked.iter(f"{SVG}path"):
            number = (shape.get("d") or "").count("M")
            shapes[shape.get("fill")] = shapes.get(shape.get("fill"), 0) + number
        region = atlas[note.fields["Name"]]
        on = nation_map(atlas, region.nation)
        near = [key for key in region.borders if key in on.map.places]
        assert shapes["#d55e00"] == len(on.rings([region.id]))
        assert shapes.get("#7db8e0", 0) == len(on.rings(near))
        assert "#d55e00" not in {shape.get("fill") for shape in empty.iter(f"{SVG}path")}
        for picture in (marked, empty):
            assert not any("".join(text.itertext()).strip() for text in picture.iter(f"{SVG}text"))


def test_every_picture_that_is_shown_is_there_and_no_other() -> None:
    for name in ATLASES:
        file = written(name)
        shown = {
            found for note in file.notes for found in re.findall('src="(.+?)"', str(note.fields))
        }
        assert shown == set(file.pictures)
        assert len(shown) > len(Atlas.load(name))


def test_cards_of_cities_say_what_the_deck_says() -> None:
    deck = Deck.load()
    file = written("world-cities")
    where = {
        html.unescape(note.fields["Question"])[len("Which region of Connections is ") : -4]: note
        for note in file.of("city_region")
    }
    cities = [city for city in deck.cities if not city.is_link]
    assert set(where) == {city.name for city in cities}
    for city in cities:
        assert where[city.name].fields["Answer"] == f"{city.name} is in {city.regions[0]}."
    pairs = set()
    for note in file.of("link"):
        found = re.fullmatch("Which linking city joins (.+) and (.+)[?]", note.fields["Question"])
        assert found is not None
        pair = set(found.groups())
        links = [city for city in deck.links if pair <= set(city.regions)]
        assert links
        for city in deck.links:
            assert (f"{city.name} links " in note.fields["Answer"]) == (city in links)
        pairs.add(frozenset(pair))
    regions = list(deck.regions.values())
    assert pairs == {
        frozenset((one, other))
        for number, one in enumerate(regions)
        for other in regions[number + 1 :]
        if any({one, other} <= set(city.regions) for city in deck.links)
    }


def test_a_fact_has_the_same_id_and_words_in_every_file() -> None:
    whole = {note.guid: note for note in written("uk-counties").notes}
    part = {note.guid: note for note in written("uk-counties", "Wales").notes}
    assert len(whole) == len(set(whole)) > len(part) > 100
    assert part.items() <= whole.items()
    guids = [note.guid for note in flashcards("world-countries").notes]
    assert len(set(guids)) == len(guids)
    assert not set(guids) & set(whole)
    (note,) = (note for note in flashcards(kinds="map").notes if note.about == ("kent",))
    assert note.guid == "adjoin-9042bb7f8fc9ce158cd7"


def test_cards_lie_in_the_deck_of_their_nation() -> None:
    atlas = Atlas.load("uk-counties")
    for note in written("uk-counties").of("map"):
        nation = atlas[note.fields["Name"]].nation
        assert note.decks == {f"Counties of the United Kingdom::{nation}"}


def test_nothing_is_left_in_the_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("genanki", reason="files for Anki need `pip install adjoin[anki]`")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    flashcards("us-states", kinds="map").save(tmp_path / "cards.apkg")
    assert not list((tmp_path / "temporary").iterdir())


def test_a_map_of_one_s_own_gives_what_it_has(tmp_path: Path) -> None:
    pytest.importorskip("genanki", reason="files for Anki need `pip install adjoin[anki]`")
    bare = Atlas.build(["A <b>", "C & D", "E"], [("A <b>", "C & D")], name="bare")
    cards = flashcards(bare)
    assert {note.kind for note in cards.notes} == {"borders", "from_neighbours"}
    file = AnkiFile(cards.save(tmp_path / "bare.apkg"), tmp_path)
    texts = [note.fields["Text"] for note in file.of("borders")]
    assert texts[0] == "A &lt;b&gt; borders {{c1::C &amp; D::region}}."
    assert texts[2] == "E borders {{c1::no region::regions}}."
    assert file.pictures == {}
    with pytest.raises(ClassroomError, match="bare has no flashcards of the kind map; it has"):
        flashcards(bare, kinds="map")


def test_wrong_names_and_files_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean Wales"):
        flashcards("uk-counties", nations="Whales")
    with pytest.raises(UnknownNameError, match="boarders"):
        flashcards("uk-counties", kinds="boarders")
    with pytest.raises(ClassroomError, match="world-cities has no flashcards of the kind borders"):
        flashcards("world-cities", kinds="borders")
    with pytest.raises(ClassroomError, match="empty list of kinds"):
        flashcards("uk-counties", kinds=[])
    with pytest.raises(ClassroomError, match=r"\.apkg or \.csv"):
        flashcards("uk-counties").save(tmp_path / "cards.pdf")
    with pytest.raises(ClassroomError, match="cards with maps"):
        flashcards("uk-counties", kinds="map").save(tmp_path / "cards.csv")
    with pytest.raises(ClassroomError, match=r"\.csv is needed"):
        facts_csv(tmp_path / "facts.txt")
    assert not list(tmp_path.iterdir())


def test_without_genanki_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "genanki", None)
    with pytest.raises(ImportError, match=r"pip install 'adjoin\[anki\]'"):
        flashcards("uk-counties", nations="Wales").save(tmp_path / "cards.apkg")
    assert not list(tmp_path.iterdir())


# Tables.


def test_fronts_and_backs_make_true_sentences(tmp_path: Path) -> None:
    atlas = Atlas.load("uk-counties")
    cards = flashcards("uk-counties", kinds=["borders", "from_neighbours"])
    table = rows(cards.save(tmp_path / "cards.csv"))
    assert [(row["front"], row["back"]) for row in table] == cards.cards()
    assert len(table) == len(cards)
    asked = [row for row in table if row["kind"] == "borders"]
    islands = sum(not region.borders for region in atlas)
    assert len(asked) == 2 * len(atlas.edges) + islands
    for row in asked:
        assert row["front"].count("___") == 1
        name, _, rest = row["front"].partition(" borders ")
        region = atlas[plain(name)]
        shown = [o.name for o in atlas.borders(region) if o.name != plain(row["back"])]
        assert all(other in rest for other in shown)
        assert plain(row["back"]) not in rest.replace(" and ", ", ").rstrip(".").split(", ")
        if region.borders:
            assert atlas[plain(row["back"])] in atlas.borders(region)


def test_a_quiz_and_its_answers_as_a_table(tmp_path: Path) -> None:
    quiz = Quiz.make("world-countries", editions="Africa", questions=20, seed=4)
    table = rows(questions_csv(quiz, tmp_path / "quiz.csv"))
    assert [row["question"] for row in table] == [question.prompt for question in quiz]
    for row, question in zip(table, quiz, strict=True):
        assert row["code"] == quiz.code
        if question.form in ("one", "many", "yes_no"):
            assert question.grade(row["answer"]).is_right, row
    raw = (tmp_path / "quiz.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")


@pytest.mark.smoke
def test_the_facts_of_an_atlas_as_a_table(tmp_path: Path) -> None:
    atlas = Atlas.load("world-countries")
    table = rows(facts_csv(tmp_path / "facts.csv", "world-countries"))
    assert [row["country"] for row in table] == list(atlas.names)
    for row in table:
        region = atlas[row["country"]]
        names = row["borders"].split("; ") if row["borders"] else []
        assert {atlas[name] for name in names} == set(atlas.borders(region))
        assert int(row["number of borders"]) == len(names)
        assert row["nation"].split("; ") == list(region.nations)
    wales = rows(facts_csv(tmp_path / "wales.csv", "uk-counties", nations="Wales"))
    assert len(wales) == 22
    powys = next(row for row in wales if row["county"] == "Powys")
    assert "Shropshire" in powys["borders"]
    cities = rows(facts_csv(tmp_path / "cities.csv", "world-cities", regions="Africa"))
    assert {row["city"] for row in cities} == {c.name for c in Deck.load().cities_of("Africa")}
