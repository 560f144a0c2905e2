//! Names and tables of data, as Python has them. The only file of this module that knows what belongs to one game: its data.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use super::objects::{to_object, to_value};
use crate::atlas::Atlas;
use crate::drawing::maps::Map;
use crate::drawing::{Anchor, Area, Labels};
use crate::games::connections::deck;
use crate::games::metro_domino::stations;
use crate::table::{Cell, Problems, Written};
use crate::{atlas, names};

/// A text without the halves of characters that Python allows and no file can hold.
pub struct Text(String);

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text = object.cast::<PyString>()?;
        if let Ok(text) = text.to_str() {
            return Ok(Self(text.to_owned()));
        }
        let bytes: Vec<u8> = text.call_method1("encode", ("utf-8", "ignore"))?.extract()?;
        Ok(Self(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

fn owned(texts: Vec<Text>) -> Vec<String> {
    texts.into_iter().map(|text| text.0).collect()
}

/// A table from a file (name, lines, whether a comma is a decimal point), or rows: where each stands, and its cells.
#[derive(FromPyObject)]
pub enum Table<'py> {
    File(Text, Vec<Vec<Text>>, bool),
    Cells(Vec<(String, Bound<'py, PyDict>)>),
}

impl Table<'_> {
    fn written(self) -> PyResult<Written> {
        let row = |(place, cells): (String, Bound<'_, PyDict>)| {
            let cells = cells.iter().map(|(column, value)| Ok((as_text(&column)?, as_cell(&value)?)));
            Ok((place, cells.collect::<PyResult<_>>()?))
        };
        match self {
            Self::File(name, lines, decimal_comma) => {
                Ok(Written::File(name.0, lines.into_iter().map(owned).collect(), decimal_comma))
            }
            Self::Cells(rows) => Ok(Written::Cells(rows.into_iter().map(row).collect::<PyResult<_>>()?)),
        }
    }
}

fn as_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(value.str()?.extract::<Text>()?.0)
}

fn as_cell(value: &Bound<'_, PyAny>) -> PyResult<Cell> {
    if value.is_none() {
        return Ok(Cell::Text(String::new()));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let texts = value.try_iter()?.map(|item| as_text(&item?));
        return Ok(Cell::List(texts.collect::<PyResult<_>>()?));
    }
    as_text(value).map(Cell::Text)
}

/// A `ValueError` whose arguments are all the problems.
fn refusal(py: Python<'_>, problems: Problems) -> PyErr {
    match PyTuple::new(py, problems.into_vec()) {
        Ok(problems) => PyValueError::new_err(problems.unbind()),
        Err(error) => error,
    }
}

/// A name as it is compared: without case, accents (unless they count) and punctuation.
#[pyfunction]
#[pyo3(signature = (text, *, accents = false))]
pub fn fold(text: Text, accents: bool) -> String {
    if accents { names::fold_but_accents(&text.0) } else { names::fold(&text.0) }
}

/// A text with single spaces, and nothing that cannot be shown or written.
#[pyfunction]
pub fn clean(text: Text) -> String {
    names::clean(&text.0)
}

/// The name that is most like a text, if one is near enough to have been meant.
#[pyfunction]
pub fn nearest(text: Text, names: Vec<Text>) -> Option<String> {
    names::nearest(&text.0, names.iter().map(|name| &*name.0)).map(str::to_owned)
}

/// "; did you mean this, that or those?", or nothing.
#[pyfunction]
pub fn hint(text: Text, names: Vec<Text>) -> String {
    names::hint(&text.0, names.iter().map(|name| &*name.0))
}

#[derive(IntoPyObject)]
struct AtlasData<'a> {
    regions: Vec<RegionData<'a>>,
    waters: Vec<WaterData<'a>>,
}

#[derive(IntoPyObject)]
struct RegionData<'a> {
    id: &'a str,
    name: &'a str,
    abbreviation: &'a str,
    nations: &'a [String],
    region: &'a str,
    lon: Option<f64>,
    lat: Option<f64>,
    borders: Vec<&'a str>,
    waters: Vec<&'a str>,
    column: Option<u16>,
    row: Option<u16>,
    extra: Vec<(&'a str, &'a str)>,
}

#[derive(IntoPyObject)]
struct WaterData<'a> {
    id: &'a str,
    name: &'a str,
    kind: &'a str,
    lon: Option<f64>,
    lat: Option<f64>,
}

/// Borders apart from the regions: lists by region, or pairs.
#[derive(FromPyObject)]
pub enum Borders<'py> {
    Lists(Bound<'py, PyDict>),
    Pairs(Vec<Vec<Text>>),
}

/// The checked data of an atlas, or a `ValueError` with all that is wrong as its arguments.
#[pyfunction]
#[pyo3(signature = (name, regions, waters, borders = None))]
pub fn read_atlas<'py>(
    py: Python<'py>,
    name: Text,
    regions: Table<'py>,
    waters: Option<Table<'py>>,
    borders: Option<Borders<'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let borders = match borders {
        None => atlas::Borders::InRows,
        Some(Borders::Pairs(pairs)) => atlas::Borders::Pairs(pairs.into_iter().map(owned).collect()),
        Some(Borders::Lists(lists)) => {
            let list = |(region, names): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
                Ok((region.extract::<Text>()?.0, owned(names.extract()?)))
            };
            atlas::Borders::Lists(lists.iter().map(list).collect::<PyResult<_>>()?)
        }
    };
    let waters = waters.map(Table::written).transpose()?;
    let tables = atlas::Tables { name: name.0, regions: regions.written()?, waters, borders };
    let read = py.detach(|| atlas::read(tables)).map_err(|problems| refusal(py, problems))?;
    let atlas::Read { atlas, details } = &read;
    let count = atlas.num_regions();
    let near = |number: usize, is_water: bool| {
        let near = atlas.near(number as u8).iter().filter(move |&other| (usize::from(other) >= count) == is_water);
        near.map(|other| &*atlas.place(other).id).collect()
    };
    let places = || atlas.places().iter().zip(details).enumerate();
    let regions = places().take(count).map(|(number, (place, details))| RegionData {
        id: &place.id,
        name: &place.name,
        abbreviation: &place.abbreviation,
        nations: &place.nations,
        region: &details.region,
        lon: details.point.map(|[lon, _]| lon),
        lat: details.point.map(|[_, lat]| lat),
        borders: near(number, false),
        waters: near(number, true),
        column: details.tile.map(|[column, _]| column),
        row: details.tile.map(|[_, row]| row),
        extra: details.extra.iter().map(|(column, text)| (&**column, &**text)).collect(),
    });
    let waters = places().skip(count).map(|(_, (place, details))| WaterData {
        id: &place.id,
        name: &place.name,
        kind: &details.kind,
        lon: details.point.map(|[lon, _]| lon),
        lat: details.point.map(|[_, lat]| lat),
    });
    Ok(AtlasData { regions: regions.collect(), waters: waters.collect() }.into_pyobject(py)?.into_any())
}

/// The map of an atlas, which is an option of a game, as plain data; `None` if it does not say where its regions are.
#[pyfunction]
pub fn map_of<'py>(
    py: Python<'py>,
    atlas: &Bound<'py, PyAny>,
    shown: Vec<Text>,
    most: (f64, f64),
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let source = serde_json::from_value(to_value(atlas)?).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let atlas = Atlas::new(&source).map_err(PyValueError::new_err)?;
    let regions = shown.iter().filter_map(|text| atlas.find_region(&text.0)).collect();
    let map = py.detach(|| Map::new(&atlas, regions, most));
    map.map(|map| to_object(py, &map.data(&atlas))).transpose()
}

/// Where words are on a sheet: for each a box (width, height), the point that it belongs to, and how far that is from
/// the edges of its area. The answer has for each the left and top of its box and, if it is away from its point, the two
/// ends of a line to it; nothing for what there is no room for. Earlier ones come first. Boxes (left, top, width, height)
/// are kept free.
#[pyfunction]
pub fn place_labels(size: (f64, f64), kept: Vec<[f64; 4]>, words: Vec<[f64; 5]>) -> Vec<Option<PlacedLabel>> {
    let mut labels = Labels::new(Area { left: 0.0, top: 0.0, right: size.0, bottom: size.1 });
    for [left, top, wide, high] in kept {
        labels.keep_free(Area { left, top, right: left + wide, bottom: top + high });
    }
    let place = |[wide, high, x, y, reach]: [f64; 5]| {
        let label = labels
            .place((wide, high), Anchor { at: (x, y), reach, beside: reach.clamp(5.0, 8.0), has_leader: true })?;
        Some((label.area.left, label.area.top, label.leader))
    };
    words.into_iter().map(place).collect()
}

/// Left, top, and the two ends of a line.
type PlacedLabel = (f64, f64, Option<[(f64, f64); 2]>);

#[derive(IntoPyObject)]
struct DeckData<'a> {
    cities: Vec<CityData<'a>>,
    cards: Vec<(u8, u8)>,
}

#[derive(IntoPyObject)]
struct CityData<'a> {
    id: &'a str,
    name: &'a str,
    regions: Vec<&'a str>,
    colour: &'a str,
    lon: Option<f64>,
    lat: Option<f64>,
}

/// The checked data of a deck of Connections, or a `ValueError` with all that is wrong as its arguments. Rows of cards
/// need not have all linking cities; a file of them must. `more` has colours of regions and points of cities.
#[pyfunction]
#[pyo3(signature = (name, cities, cards, more = None))]
pub fn read_deck<'py>(
    py: Python<'py>,
    name: Text,
    cities: Table<'py>,
    cards: Option<Table<'py>>,
    more: Option<Table<'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let cards = match cards.map(Table::written).transpose()? {
        None => deck::WrittenCards::Made,
        Some(cards @ Written::File(..)) => deck::WrittenCards::Listed(cards),
        Some(cards @ Written::Cells(..)) => deck::WrittenCards::AndLinks(cards),
    };
    let more = more.map(Table::written).transpose()?;
    let tables = deck::Tables { name: name.0, cities: cities.written()?, cards, more };
    let deck = py.detach(|| deck::read(tables)).map_err(|problems| refusal(py, problems))?;
    let region = |id: &String| Some(&*deck.regions()[usize::from(deck.find_region(id)?)].name);
    let cities = deck.cities().iter().map(|city| CityData {
        id: &city.id,
        name: &city.name,
        regions: city.regions.iter().filter_map(region).collect(),
        colour: city.colour.as_deref().unwrap_or_default(),
        lon: city.lon,
        lat: city.lat,
    });
    let cards = deck.cards().iter().map(|&[front, back]| (front, back));
    Ok(DeckData { cities: cities.collect(), cards: cards.collect() }.into_pyobject(py)?.into_any())
}

#[derive(IntoPyObject)]
struct StationData<'a> {
    id: &'a str,
    name: &'a str,
    lines: Vec<(u8, Option<u8>, Option<u8>, bool)>,
}

/// The checked stations of a deck of Metro Domino, or a `ValueError` with all that is wrong as its arguments.
#[pyfunction]
pub fn read_stations<'py>(py: Python<'py>, name: Text, lines: Table<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let written = lines.written()?;
    let deck = py.detach(|| stations::read(&name.0, written)).map_err(|problems| refusal(py, problems))?;
    let station = |station: &stations::Station| {
        let lines = station.lines.iter().map(|line| (line.length, line.min, line.max, line.no_doubles)).collect();
        Ok(StationData { id: &station.id, name: &station.name, lines }.into_pyobject(py)?.into_any())
    };
    deck.stations().iter().map(station).collect()
}
