//! Data as people write it: tables whose rows have named cells, and all that is wrong with them.
//!
//! A reader ([`crate::atlas`], the decks of Connections and Metro Domino) takes tables and gives checked data or
//! [`Problems`]: everything that is wrong, each with where it stands. An option of a game goes through the same checks.

use std::fmt;

use crate::names::{Index, MAX_NAME, check_name, clean, fold, hint};
use crate::text::counted;

/// How many names that nobody has are compared with all others.
const MAX_HINTS: usize = 50;
/// How many problems are shown.
const SHOWN: usize = 10;

/// What is wrong with something written. It shows the first ten, a line each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problems(Vec<String>);

impl Problems {
    /// Notes what is wrong somewhere, on one line and without what could show as something else.
    pub fn add(&mut self, place: &str, what: impl fmt::Display) {
        self.0.push(clean(&format!("{place}: {what}")));
    }

    /// Notes it, if it is an error.
    pub fn check(&mut self, place: &str, result: Result<(), String>) {
        if let Err(what) = result {
            self.add(place, what);
        }
    }

    /// Notes that there are more of something than allowed.
    pub fn at_most(&mut self, place: &str, count: usize, most: usize, what: &str) {
        if count > most {
            self.add(place, format_args!("{count} {what}, at most {most} are allowed"));
        }
    }

    /// Everything noted so far, unless it is nothing.
    pub fn none(&mut self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(std::mem::take(self)) }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every problem.
    #[must_use]
    pub fn into_vec(self) -> Vec<String> {
        self.0
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0[..self.0.len().min(SHOWN)].join("\n"))?;
        if self.0.len() > SHOWN { write!(f, "\nand {} more", self.0.len() - SHOWN) } else { Ok(()) }
    }
}

/// What stands in a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// A text; where a list is meant, separated by `;` or `|`.
    Text(String),
    /// A list.
    List(Vec<String>),
}

/// A row: its cells by the names of their columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Where it stands: the file and row, or the thing's number.
    pub place: String,
    cells: Vec<(String, Cell)>,
}

impl Row {
    /// The names of its columns.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().map(|(column, _)| &**column)
    }

    /// Whether it has a column.
    #[must_use]
    pub fn has(&self, column: &str) -> bool {
        self.cell(column).is_some()
    }

    fn cell(&self, column: &str) -> Option<&Cell> {
        self.cells.iter().find(|(name, _)| name == column).map(|(_, cell)| cell)
    }

    /// What stands in a column; nothing, if there is none.
    #[must_use]
    pub fn text(&self, column: &str) -> String {
        match self.cell(column) {
            Some(Cell::Text(text)) => text.clone(),
            Some(Cell::List(texts)) => texts.join(";"),
            None => String::new(),
        }
    }

    /// The list in a column.
    #[must_use]
    pub fn list(&self, column: &str) -> Vec<String> {
        match self.cell(column) {
            Some(Cell::Text(text)) => {
                text.split([';', '|']).map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
            }
            Some(Cell::List(texts)) => texts.clone(),
            None => Vec::new(),
        }
    }

    /// Its id, or nothing; its name, which is the id if it has no such column; and where it stands, with the name.
    #[must_use]
    pub fn called(&self) -> (String, String, String) {
        let id = self.text("id");
        let name = if self.has("name") { self.text("name") } else { id.clone() };
        let place = place(&self.place, &name);
        (id, name, place)
    }

    /// Longitude and latitude, if they are given.
    pub fn point(&self, place: &str, problems: &mut Problems) -> Option<[f64; 2]> {
        let mut number = |column: &str| {
            let text = self.text(column);
            let value = text.parse().ok();
            if value.is_none() && !text.is_empty() {
                problems.add(place, format_args!("{column} \"{text}\" is not a number"));
            }
            value.inspect(|&value| problems.check(place, check_degrees(column, value, &text)))
        };
        let (lon, lat) = (number("lon"), number("lat"));
        self.both(["lon", "lat"], place, problems);
        Some([lon?, lat?])
    }

    /// Notes that one of two columns has nothing and the other has something.
    pub fn both(&self, [one, other]: [&str; 2], place: &str, problems: &mut Problems) {
        match [one, other].map(|column| self.text(column).is_empty()) {
            [true, false] => problems.add(place, format_args!("{other} without {one}")),
            [false, true] => problems.add(place, format_args!("{one} without {other}")),
            _ => {}
        }
    }
}

/// Refuses degrees that are no place on Earth; `shown` is what was written.
pub fn check_degrees(column: &str, value: f64, shown: impl fmt::Display) -> Result<(), String> {
    let limit = if column == "lon" { 180 } else { 90 };
    if value.abs() <= f64::from(limit) {
        return Ok(());
    }
    Err(format!("{column} {shown} is not between -{limit} and {limit}"))
}

/// Where a thing is, with its name if it has one.
#[must_use]
pub fn place(at: &str, name: &str) -> String {
    let shown: String = name.chars().take(MAX_NAME).collect();
    let dots = if shown.len() < name.len() { "…" } else { "" };
    if name.is_empty() { at.to_owned() } else { format!("{at} ({shown}{dots})") }
}

/// The columns of a table.
pub struct Columns {
    /// Of each of these, one must be there.
    pub needed: &'static [&'static [&'static str]],
    /// The name of a column from its header.
    pub named: fn(&str) -> String,
    /// How many rows there may be, and what they are.
    pub most: (usize, &'static str),
}

/// Rows with where they come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// A file's name, or what the data is called.
    pub source: String,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A table as it comes in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Written {
    /// A file: its name, its lines with the header first, and whether a comma is a decimal point.
    File(String, Vec<Vec<String>>, bool),
    /// Cells by column, with where they stand.
    Cells(Vec<(String, Vec<(String, Cell)>)>),
}

impl Written {
    /// A file of the package, which has no quotes.
    #[must_use]
    pub fn shipped(file: &str, text: &str) -> Self {
        let lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect());
        Self::File(file.to_owned(), lines.collect(), false)
    }

    /// The rows; of a file with too many of them, none. `name` is the source of cells.
    #[must_use]
    pub fn read(self, name: &str, columns: &Columns, problems: &mut Problems) -> Table {
        match self {
            Self::File(file, lines, decimal_comma) => {
                let rows = read_lines(&file, &lines, decimal_comma, columns, problems);
                Table { source: file, rows }
            }
            Self::Cells(rows) => {
                let cleaned = |cell| match cell {
                    Cell::Text(text) => Cell::Text(clean(&text)),
                    Cell::List(texts) => Cell::List(texts.iter().map(|text| clean(text)).collect()),
                };
                let row = |(place, cells): (String, Vec<(String, Cell)>)| {
                    let cells =
                        cells.into_iter().map(|(column, cell)| ((columns.named)(&clean(&column)), cleaned(cell)));
                    Row { place, cells: cells.collect() }
                };
                Table { source: name.to_owned(), rows: rows.into_iter().map(row).collect() }
            }
        }
    }
}

fn read_lines(
    file: &str,
    lines: &[Vec<String>],
    decimal_comma: bool,
    columns: &Columns,
    problems: &mut Problems,
) -> Vec<Row> {
    let is_filled = |line: &&Vec<String>| line.iter().any(|cell| !cell.trim().is_empty());
    let (filled, (most, what)) = (lines.iter().skip(1).filter(is_filled).count(), columns.most);
    if filled > most {
        problems.at_most(file, filled, most, what);
        return Vec::new();
    }
    let mut lines = lines.iter().map(|line| line.iter().map(|cell| unguarded(clean(cell))).collect::<Vec<String>>());
    let header: Vec<String> = lines.next().into_iter().flatten().map(|cell| (columns.named)(&cell)).collect();
    check_header(file, &header, columns, problems);
    let mut rows = Vec::new();
    for (cells, number) in lines.zip(2..).filter(|(cells, _)| cells.iter().any(|cell| !cell.is_empty())) {
        let place = format!("{file}, row {number}");
        if cells.len() != header.len() {
            problems.add(&place, format_args!("{}, expected {}", counted(cells.len(), "field"), header.len()));
            continue;
        }
        if header.iter().zip(&cells).any(|(column, cell)| column.is_empty() && !cell.is_empty()) {
            problems.add(&place, "a value in a column without a name");
        }
        let point = |column: &str| decimal_comma && ["lon", "lat"].contains(&column);
        let cell = |(column, cell): (&String, String)| {
            (column.clone(), Cell::Text(if point(column) { cell.replace(',', ".") } else { cell }))
        };
        let cells = header.iter().zip(cells).filter(|(column, _)| !column.is_empty()).map(cell).collect();
        rows.push(Row { place, cells });
    }
    rows
}

fn check_header(file: &str, header: &[String], columns: &Columns, problems: &mut Problems) {
    let named: Vec<&str> = header.iter().map(String::as_str).filter(|column| !column.is_empty()).collect();
    for needed in columns.needed.iter().filter(|needed| !needed.iter().any(|column| named.contains(column))) {
        let there = if named.is_empty() { "none".to_owned() } else { named.join(", ") };
        problems.add(file, format_args!("no column \"{}\"; the columns are {there}", needed.join("\" or \"")));
    }
    for (number, column) in named.iter().enumerate() {
        let times = named.iter().filter(|other| *other == column).count();
        if times > 1 && !named[..number].contains(column) {
            problems.add(file, format_args!("{times} columns \"{column}\""));
        }
    }
}

/// A cell without the apostrophe that keeps spreadsheets from reckoning with it.
fn unguarded(cell: String) -> String {
    match cell.strip_prefix('\'') {
        Some(rest) if rest.trim_start_matches('\'').starts_with(['=', '+', '-', '@']) => rest.to_owned(),
        _ => cell,
    }
}

/// The names that things have taken, and where the things stand.
#[derive(Default)]
pub struct Names {
    /// The things by name, numbered as they were added.
    pub index: Index,
    places: Vec<String>,
    hints: usize,
}

impl Names {
    /// Takes all that the next thing is called, or says the first that is wrong with that. `called` has, with each
    /// name, what it is: "name", "id".
    pub fn claim(&mut self, place: &str, called: &[(&str, &str)]) -> Result<(), String> {
        let number = self.places.len();
        self.places.push(place.to_owned());
        for (what, text) in called {
            check_name(what, text)?;
            if text.is_empty() {
                return Err(format!("the {what} is empty"));
            }
            if fold(text).is_empty() {
                return Err(format!("the {what} \"{text}\" has no letter and no digit"));
            }
            let owner = self.index.add(text, number);
            if owner != number {
                return Err(format!("the {what} \"{text}\" is taken by {}", self.places[owner]));
            }
        }
        Ok(())
    }

    /// What may have been meant, for the first few that ask.
    pub fn hint<'a>(&mut self, text: &str, names: impl IntoIterator<Item = &'a str>) -> String {
        self.hints += 1;
        if self.hints > MAX_HINTS { String::new() } else { hint(text, names) }
    }
}

/// Refuses a name with a mark that separates lists.
pub fn check_separators(what: &str, text: &str) -> Result<(), String> {
    if !text.contains([';', '|']) {
        return Ok(());
    }
    Err(format!("the {what} \"{text}\" has a ; or |, which separate lists"))
}

#[cfg(test)]
mod tests {
    use super::{Cell, Columns, Names, Problems, Table, Written, place};

    const COLUMNS: Columns =
        Columns { needed: &[&["name", "id"], &["lon"]], named: |header| header.to_lowercase(), most: (3, "things") };

    fn read(text: &str, decimal_comma: bool) -> (Table, Vec<String>) {
        let lines = text.lines().map(|line| line.split(',').map(|cell| cell.replace('^', ",")).collect()).collect();
        let mut problems = Problems::default();
        let table = Written::File("own.csv".to_owned(), lines, decimal_comma).read("", &COLUMNS, &mut problems);
        (table, problems.into_vec())
    }

    #[test]
    fn rows_are_tidied_and_counted_as_in_a_spreadsheet() {
        let (table, problems) = read(" NAME ,lon,lat,\n\n A\u{1b}  b ,2^5,1,\n,,,\n'=x,,,", true);
        assert_eq!((problems, table.rows.len()), (vec![], 2));
        assert_eq!((&*table.rows[0].place, &*table.rows[1].place), ("own.csv, row 3", "own.csv, row 5"));
        assert_eq!((&*table.rows[0].text("name"), &*table.rows[1].text("name")), ("A b", "=x"));
        let mut problems = Problems::default();
        assert_eq!(table.rows[0].point("", &mut problems), Some([2.5, 1.0]));
        assert_eq!(table.rows[1].point("", &mut problems), None);
        assert_eq!(problems.none(), Ok(()));
    }

    #[test]
    fn a_table_that_is_none_is_refused() {
        let problems = |text: &str| read(text, false).1;
        let there = "the columns are nom";
        assert_eq!(
            problems("nom\nA"),
            [format!("own.csv: no column \"name\" or \"id\"; {there}"), format!("own.csv: no column \"lon\"; {there}")]
        );
        assert_eq!(problems(",\n")[1], "own.csv: no column \"lon\"; the columns are none");
        assert_eq!(problems("id,lon,x,X,x\n"), ["own.csv: 3 columns \"x\""]);
        assert_eq!(problems("id,lon,\nA,,\nB,,x"), ["own.csv, row 3: a value in a column without a name"]);
        assert_eq!(
            problems("id,lon\nA\nB,\nC,,"),
            ["own.csv, row 2: 1 field, expected 2", "own.csv, row 4: 3 fields, expected 2"]
        );
        assert_eq!(problems("id,lon\nA,\nB,\nC,\nD,\n,"), ["own.csv: 4 things, at most 3 are allowed"]);
    }

    #[test]
    fn points_are_two_degrees() {
        let problems = |lon: &str, lat: &str| {
            let mut problems = Problems::default();
            read(&format!("name,lon,lat\nA,{lon},{lat}"), false).0.rows[0].point("A", &mut problems);
            problems.into_vec()
        };
        assert_eq!(problems("x", "1"), ["A: lon \"x\" is not a number"]);
        assert_eq!([problems("1", ""), problems("", "1")], [["A: lon without lat"], ["A: lat without lon"]]);
        assert_eq!(problems("-180", "90"), [""; 0]);
        assert_eq!(
            problems("-180.1", "nan"),
            ["A: lon -180.1 is not between -180 and 180", "A: lat nan is not between -90 and 90"]
        );
    }

    #[test]
    fn cells_are_texts_or_lists() {
        let cells = [("A", Cell::Text(" x ;|y; ".to_owned())), ("b", Cell::List(vec!["x;  y".to_owned()]))];
        let cells = cells.map(|(column, cell)| (column.to_owned(), cell)).into();
        let written = Written::Cells(vec![("thing 1".to_owned(), cells)]);
        let Table { source, rows } = written.read("own", &COLUMNS, &mut Problems::default());
        assert_eq!((&*source, &*rows[0].place), ("own", "thing 1"));
        assert_eq!([rows[0].list("a"), rows[0].list("b"), rows[0].list("c")], [vec!["x", "y"], vec!["x; y"], vec![]]);
        assert_eq!([rows[0].text("a"), rows[0].text("b"), rows[0].text("c")], ["x ;|y;", "x; y", ""]);
    }

    #[test]
    fn a_name_is_for_one_thing() {
        let mut names = Names::default();
        let mut claim = |place: &str, name: &str, id: &str| names.claim(place, &[("name", name), ("id", id)]);
        assert_eq!(claim("row 2 (A)", "A", "x"), Ok(()));
        assert_eq!(claim("row 3 (B)", "B", "b"), Ok(()));
        for (name, id, message) in [
            ("a", "y", "the name \"a\" is taken by row 2 (A)"),
            ("C", "X", "the id \"X\" is taken by row 2 (A)"),
            ("", "z", "the name is empty"),
            ("D", "-", "the id \"-\" has no letter and no digit"),
            (&"e".repeat(101), "e", "the name is 101 characters long, at most 100 are allowed"),
            ("A\u{202E}", "f", "the name \"A\\u{202e}\": the character U+202E is not allowed"),
        ] {
            assert_eq!(claim("row 4", name, id), Err(message.to_owned()));
        }
        assert_eq!(place("row 2", &"e".repeat(101)), format!("row 2 ({}…)", "e".repeat(100)));
        let hints: Vec<String> = (0..60).map(|_| names.hint("Betta", ["Beta"])).collect();
        assert_eq!(hints.iter().filter(|hint| !hint.is_empty()).count(), 50);
    }

    #[test]
    fn all_problems_are_kept_and_ten_are_shown() {
        let mut problems = Problems::default();
        (0..13).for_each(|number| problems.at_most(&format!("row {number}"), 3, 2, "things"));
        let shown = problems.to_string();
        assert!(shown.starts_with("row 0: 3 things, at most 2 are allowed\nrow 1: "), "{shown}");
        assert!(shown.ends_with("\nand 3 more"), "{shown}");
        assert_eq!(problems.into_vec().len(), 13);
    }
}
