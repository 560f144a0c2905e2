//! The rules of every game, clause by clause: each clause of a rule page has a test that carries its id.

mod connections;
mod domiphun;
mod ladder;
mod mapello;
mod mapello_facts;
mod mapello_picture;
mod mapello_solve;
mod mapominoes;
mod metro_domino;
mod metro_domino_facts;
mod table;

/// The rule page of each game and the tests of its clauses.
const GAMES: &[(&str, &str)] = &[
    (include_str!("../../src/games/connections/RULES.md"), include_str!("connections.rs")),
    (include_str!("../../src/games/domiphun/RULES.md"), include_str!("domiphun.rs")),
    (include_str!("../../src/games/ladder/RULES.md"), include_str!("ladder.rs")),
    (include_str!("../../src/games/mapello/RULES.md"), include_str!("mapello.rs")),
    (include_str!("../../src/games/mapominoes/RULES.md"), include_str!("mapominoes.rs")),
    (include_str!("../../src/games/metro_domino/RULES.md"), include_str!("metro_domino.rs")),
];

#[test]
fn every_clause_has_a_test_and_every_test_a_clause() {
    for (page, tests) in GAMES {
        let clauses = clauses(page);
        let names = test_names(tests);
        assert!(!clauses.is_empty(), "a rule page without clauses");
        for clause in &clauses {
            assert!(names.iter().any(|name| name.starts_with(clause)), "no test is named {clause}…");
        }
        for name in names {
            assert!(clauses.iter().any(|clause| name.starts_with(clause)), "{name} names no clause of the rule page");
        }
    }
}

/// The ids that a rule page defines in bold, as test names begin: `**MAPE-7**` is `mape_7_`, `**MAPO-E4a**` is
/// `mapo_e4a_`.
fn clauses(page: &str) -> Vec<String> {
    let bold = page.split("**").skip(1).step_by(2);
    bold.filter(|words| words.split_once('-').is_some_and(|(game, number)| is_game(game) && is_number(number)))
        .map(|id| id.replace('-', "_").to_ascii_lowercase() + "_")
        .collect()
}

fn is_game(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|symbol| symbol.is_ascii_uppercase())
}

fn is_number(word: &str) -> bool {
    word.contains(|symbol: char| symbol.is_ascii_digit()) && word.chars().all(|symbol| symbol.is_ascii_alphanumeric())
}

/// The functions of a file that are tests.
fn test_names(file: &str) -> Vec<&str> {
    let lines: Vec<&str> = file.lines().collect();
    let tests = lines.windows(2).filter(|pair| pair[0] == "#[test]");
    tests.filter_map(|pair| pair[1].strip_prefix("fn ")?.split('(').next()).collect()
}
