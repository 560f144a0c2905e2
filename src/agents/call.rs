//! Agents as people write them: `search(iterations=500, playouts=random)`.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::error::Error;

/// A name, and named arguments that are taken out one by one.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    text: String,
    name: String,
    arguments: Vec<(String, String)>,
    known: Vec<&'static str>,
}

impl Call {
    /// Reads `name` or `name(key=value, ...)`.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let refuse = |why: &str| Error::Agent { text: text.to_owned(), message: why.to_owned() };
        let (name, inside) = match text.trim().split_once('(') {
            None => (text.trim(), ""),
            Some((name, rest)) => {
                (name.trim(), rest.strip_suffix(')').ok_or_else(|| refuse("the closing bracket is missing"))?)
            }
        };
        let mut call =
            Self { text: text.to_owned(), name: name.to_lowercase(), arguments: Vec::new(), known: Vec::new() };
        for argument in inside.split(',').filter(|argument| !argument.trim().is_empty()) {
            let (key, value) = argument.split_once('=').ok_or_else(|| refuse("arguments are written as name=value"))?;
            let (key, value) = (key.trim().to_lowercase(), value.trim().trim_matches(['"', '\'']));
            if call.arguments.iter().any(|(other, _)| *other == key) {
                return Err(refuse(&format!("{key} is given twice")));
            }
            call.arguments.push((key, value.to_owned()));
        }
        Ok(call)
    }

    /// The agent's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes out a number within a range, if it is given.
    pub fn number<T: FromStr + PartialOrd + Display>(
        &mut self,
        key: &'static str,
        range: RangeInclusive<T>,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.take(key) else { return Ok(None) };
        match value.parse() {
            Ok(number) if range.contains(&number) => Ok(Some(number)),
            _ => {
                Err(self.refuse(&format!("{key}={value}: must be a number from {} to {}", range.start(), range.end())))
            }
        }
    }

    /// Takes out one of several words, if it is given.
    pub fn word<T: Copy>(&mut self, key: &'static str, words: &[(&str, T)]) -> Result<Option<T>, Error> {
        let Some(value) = self.take(key) else { return Ok(None) };
        if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == value) {
            return Ok(Some(*meaning));
        }
        let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
        Err(self.refuse(&format!("{key}={value}: must be {}", words.join(" or "))))
    }

    /// Takes out any text, if it is given.
    pub fn text(&mut self, key: &'static str) -> Option<String> {
        self.take(key)
    }

    /// Fails if anything is left that nobody took out.
    pub fn finish(self) -> Result<(), Error> {
        match self.arguments.first() {
            None => Ok(()),
            Some((key, _)) if self.known.is_empty() => {
                Err(self.refuse(&format!("unknown argument {key}; {} takes none", self.name)))
            }
            Some((key, _)) => {
                Err(self.refuse(&format!("unknown argument {key}; {} takes {}", self.name, self.known.join(", "))))
            }
        }
    }

    /// An error about this agent.
    #[must_use]
    pub fn refuse(&self, message: &str) -> Error {
        Error::Agent { text: self.text.clone(), message: message.to_owned() }
    }

    fn take(&mut self, key: &'static str) -> Option<String> {
        self.known.push(key);
        let index = self.arguments.iter().position(|(name, _)| name == key)?;
        Some(self.arguments.remove(index).1)
    }
}

#[cfg(test)]
mod tests {
    use super::Call;

    fn refused<T>(result: Result<T, crate::error::Error>) -> String {
        result.err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn names_and_arguments_are_read_whatever_the_spaces() {
        let mut call = Call::parse(" Search ( iterations = 20 , playouts = \"random\" )").unwrap();
        assert_eq!(call.name(), "search");
        assert_eq!(call.number("iterations", 1..=50).unwrap(), Some(20));
        assert_eq!(call.number("depth", 1..=50).unwrap(), None);
        assert_eq!(call.word("playouts", &[("greedy", 1), ("random", 2)]).unwrap(), Some(2));
        assert!(call.finish().is_ok());
        assert_eq!(Call::parse("greedy()").unwrap().name(), "greedy");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert!(refused(Call::parse("search(iterations=3")).contains("closing bracket"));
        assert!(refused(Call::parse("search(3)")).contains("name=value"));
        assert!(refused(Call::parse("search(a=1, a=2)")).contains("a is given twice"));
        let mut call = Call::parse("search(iterations=many, depth=3)").unwrap();
        let message = refused(call.number("iterations", 1..=50));
        assert_eq!(
            message,
            "agent \"search(iterations=many, depth=3)\": iterations=many: must be a number from 1 to 50"
        );
        assert!(refused(call.finish()).ends_with("unknown argument depth; search takes iterations"));
    }
}
