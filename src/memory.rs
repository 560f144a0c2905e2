//! Memory that grows with what the caller asks for: an error where there is not enough, not the end of the process.

use crate::error::Error;

/// An empty list with room for `count` of what is called so, in the plural.
pub(crate) fn room<T>(what: &'static str, count: usize) -> Result<Vec<T>, Error> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| Error::Memory { what, count, bytes: size_of::<T>() })?;
    Ok(list)
}

/// Makes room in a list for so many more.
pub(crate) fn reserve<T>(list: &mut Vec<T>, what: &'static str, more: usize) -> Result<(), Error> {
    let count = list.len().saturating_add(more);
    list.try_reserve(more).map_err(|_| Error::Memory { what, count, bytes: size_of::<T>() })
}

/// A list of all items.
pub(crate) fn collect<T>(what: &'static str, items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, Error> {
    let mut list = room(what, items.len())?;
    list.extend(items);
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::{collect, reserve, room};

    #[test]
    fn what_no_memory_holds_is_refused() {
        let message = "not enough memory for 18446744073709551615 lanes of 8 bytes each";
        assert_eq!(room::<u64>("lanes", usize::MAX).unwrap_err().to_string(), message);
        let mut list = vec![1_u64];
        assert_eq!(reserve(&mut list, "lanes", usize::MAX).unwrap_err().to_string(), message);
        assert_eq!(list, [1]);
        assert_eq!(collect("numbers", 0..3).unwrap(), [0, 1, 2]);
    }
}
