"""Names as pupils write them."""

from __future__ import annotations

import pytest

from adjoin.classroom import Book, Quiz, Scope
from adjoin.classroom.spelling import LEADS, SHORT_NAMES, is_one_typo
from adjoin.data.atlas import Atlas
from adjoin.support.names import fold
from scaffold import cases

UK, WORLD, US = (Scope.make(name).book for name in Atlas.shipped())
BOOKS = [UK, WORLD, US]


@cases(
    ("book", "text", "key", "told"),
    [
        (UK, "Kent", "kent", ""),
        (UK, "  kEnT. ", "kent", ""),
        (UK, "Tyne & Wear", "tyne_and_wear", ""),
        (UK, "t&w", "tyne_and_wear", "also called Tyne and Wear"),
        (UK, "E. Sussex", "east_sussex", "also called East Sussex"),
        (UK, "EastSussex", "east_sussex", "East Sussex"),
        (UK, "East Susex", "east_sussex", "East Sussex"),
        (UK, "Esex", "essex", "Essex"),
        (UK, "the Isle of Wight", "isle_of_wight", ""),
        (UK, "Western Isles", "na_h_eileanan_siar", "also called Na h-Eileanan Siar"),
        (UK, "na h eileanan siar", "na_h_eileanan_siar", ""),
        (UK, "County Durham", "durham", ""),
        (UK, "Co. Down", "down", ""),
        (UK, "County of Glocestershire", "gloucestershire", "Gloucestershire"),
        (UK, "Glouscestershire", "gloucestershire", "Gloucestershire"),
        (UK, "Northants", "northamptonshire", "also called Northamptonshire"),
        (UK, "London", "greater_london", "also called Greater London"),
        (UK, "City of London", "city_of_london", ""),
        (UK, "city of edinburgh", "edinburgh", ""),
        (UK, "Derry", "londonderry", "also called Londonderry"),
        (WORLD, "cote d'ivoire", "civ", "Côte d'Ivoire"),
        (WORLD, "Côte d’Ivoire", "civ", ""),
        (WORLD, "Ivory Coast", "civ", "also called Côte d'Ivoire"),
        (WORLD, "Turkiye", "tur", "Türkiye"),
        (WORLD, "Turkey", "tur", "also called Türkiye"),
        (WORLD, "St. Lucia", "lca", ""),
        (WORLD, "saint lucia", "lca", ""),
        (WORLD, "Gambia", "gmb", "also called The Gambia"),
        (WORLD, "Zambia", "zmb", ""),
        (WORLD, "Netherland", "nld", "Netherlands"),
        (WORLD, "the netherlands", "nld", ""),
        (WORLD, "USA", "usa", "also called United States"),
        (WORLD, "UK", "gbr", "also called United Kingdom"),
        (WORLD, "NA", "nam", "also called Namibia"),
        (WORLD, "Republic of Ireland", "irl", ""),
        (WORLD, "Democratic Republic of the Congo", "cod", "also called DR Congo"),
        (WORLD, "Sao Tome & Principe", "stp", "São Tomé and Príncipe"),
        (WORLD, "Columbia", "col", "Colombia"),
        (WORLD, "Phillipines", None, ""),  # two typos
        (WORLD, "Philipines", "phl", "Philippines"),
        (US, "Washington D.C.", "district_of_columbia", "District of Columbia"),
        (US, "Massachusets", "massachusetts", "Massachusetts"),
        (US, "tx", "texas", "also called Texas"),
        # Not read: too short for a typo, two that fit, two typos, nothing at all.
        (UK, "Kant", None, ""),
        (UK, "Est Sussex", None, ""),
        (UK, "Korea", None, ""),
        (UK, "Esses Esses", None, ""),
        (UK, "", None, ""),
        (UK, "…", None, ""),
        (UK, "the", None, ""),
        (WORLD, "Korea", None, ""),
        (WORLD, "Congo", None, ""),
        (WORLD, "Iram", None, ""),
        (WORLD, "Aambia", None, ""),
    ],
)
def test_names_are_read(book: Book, text: str, key: str | None, told: str) -> None:
    """What is told is the right spelling, or what else a thing is called."""
    reading = book.read(text)
    also = reading.also_called and f"also called {reading.also_called}"
    assert (reading.id, reading.correction or also) == (key, told)


@cases("nation", ["Wales", "Scotland", "Northern Ireland"])
def test_counties_are_read_in_their_other_language(nation: str) -> None:
    same = (
        "Gwynedd Conwy Powys Ceredigion Torfaen Rhondda Cynon Taf Blaenau Gwent Na h-Eileanan Siar"
    )
    for county in Atlas.load("uk-counties", nations=nation):
        assert county.also_called or county.name in same


def test_another_name_is_no_misspelling() -> None:
    quiz = Quiz.make(
        "world-countries", kinds="borders", editions="Asia & Australasia", questions=25, seed=1
    )
    question = next(q for q in quiz.questions if "tur" in q.answers)
    grade = question.grade("Turkey")
    assert (grade.corrections, grade.also_called) == ((), (("Turkey", "Türkiye"),))
    assert '"Turkey" is also called Türkiye.' in str(grade)


@cases("book", BOOKS)
def test_every_name_is_read_in_every_way_it_is_written(book: Book) -> None:
    atlas = Atlas.load(book.atlas)
    for region in atlas:
        for text in (region.name, region.name.upper(), region.name.replace(" and ", " & ")):
            assert book.read(text) == (text, region.id, "", "")
        assert book.read(region.abbreviation).id == region.id
        assert book.read(fold(region.name)).id == region.id
        for lead in LEADS:
            assert book.read(f"{lead} {region.name}").id == region.id
    others = [(region.id, region.also_called) for region in atlas]
    assert all(atlas.region(text).id == key for key, texts in others for text in texts)
    for key, texts in (*others, *SHORT_NAMES.get(book.atlas, {}).items()):
        for text in texts:
            assert book.read(text) == (text, key, "", atlas[key].name)
    for water in atlas.waters:
        assert book.read(water.name, "water").id == water.id
        assert book.read(f"the {water.name}", "water").id == water.id


@cases("book", BOOKS)
def test_a_typo_never_makes_another_name_of_it(book: Book) -> None:
    read = lost = 0
    exact = {**book.short["region"], **book.spellings["region"]}
    for key, name in book.names["region"].items():
        typos = {name[:n] + name[n + 1 :] for n in range(len(name))}
        typos |= {name[:n] + name[n + 1] + name[n] + name[n + 2 :] for n in range(len(name) - 1)}
        typos |= {name[:n] + "q" + name[n + 1 :] for n in range(0, len(name), 3)}
        typos |= {name[:n] + "x" + name[n:] for n in range(0, len(name), 3)}
        for text in typos:
            found = book.read(text).id
            read += found == key
            lost += found is None
            if found not in (None, key):
                assert found == exact.get(fold(text))
    assert read > 12 * lost


def test_typos() -> None:
    for one, other in [
        ("essex", "esex"),
        ("essex", "essexx"),
        ("essex", "esesx"),
        ("essex", "essix"),
    ]:
        assert is_one_typo(one, other)
        assert is_one_typo(other, one)
    for other in ("essex", "eses", "xessex2", "sesex2", "essxe2", ""):
        assert not is_one_typo("essex", other)
    assert is_one_typo("", "a")
    assert not is_one_typo("ab", "cd")
    assert not is_one_typo("abc", "cab")


@pytest.mark.smoke
@cases(
    ("book", "text", "pieces"),
    [
        (UK, "Kent, Essex", ["Kent", "Essex"]),
        (UK, "Kent and Essex", ["Kent", "Essex"]),
        (UK, "Kent, Surrey, and Essex", ["Kent", "Surrey", "Essex"]),
        (UK, "Tyne and Wear and Durham", ["Tyne and Wear", "Durham"]),
        (UK, "Durham and Tyne & Wear", ["Durham", "Tyne and Wear"]),
        (UK, "Perth & Kinross; Fife", ["Perth & Kinross", "Fife"]),
        (UK, "Kent > Essex → Suffolk", ["Kent", "Essex", "Suffolk"]),
        (UK, "Kent - Essex – Suffolk", ["Kent", "Essex", "Suffolk"]),
        (UK, "Kent\nEssex\n\n", ["Kent", "Essex"]),
        (UK, "Na h-Eileanan Siar/Orkney", ["Na h-Eileanan Siar", "Orkney"]),
        (UK, "Xyz and Kent", ["Xyz", "Kent"]),
        (UK, " , ; ", []),
        (WORLD, "Guinea-Bissau, Timor-Leste", ["Guinea-Bissau", "Timor-Leste"]),
        (
            WORLD,
            "Bosnia and Herzegovina and Trinidad and Tobago and Mali",
            ["Bosnia and Herzegovina", "Trinidad and Tobago", "Mali"],
        ),
    ],
)
def test_lists_are_split(book: Book, text: str, pieces: list[str]) -> None:
    assert book.split(text) == pieces


def test_a_long_text_is_read_in_part() -> None:
    assert len(UK.split("Kent, " * 100_000)) < 1000
    assert UK.read("x" * 100_000).id is None


def test_a_book_is_plain_data() -> None:
    for book in BOOKS:
        again = Book.from_json(book.to_json())
        assert again == book
        assert again.read("Nothing like it").id is None
