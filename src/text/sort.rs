//! [`sort_few`]: sorts short lists.

use std::cmp::Ordering;

/// Sorts a short list. Items that compare equal keep their order.
///
/// The sort of the standard library is compiled anew for each type and each order, from 2,000 lines of LLVM. Here, all lists share
/// one sort, that of their indexes.
pub(crate) fn sort_few<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = sorted_indexes(items.len(), &|a, b| {
        items.get(a).zip(items.get(b)).map_or(Ordering::Equal, |(a, b)| compare(a, b))
    });
    let mut unsorted: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|index| unsorted.get_mut(index)?.take()));
}

fn sorted_indexes(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut indexes: Vec<usize> = (0..count).collect();
    indexes.sort_by(|a, b| compare(*a, *b));
    indexes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_sorted_and_keeps_the_order_of_equal_items() {
        let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd'), (1, 'e')];
        sort_few(&mut items, |one, other| one.0.cmp(&other.0));
        assert_eq!(items, [(0, 'd'), (1, 'b'), (1, 'e'), (2, 'a'), (2, 'c')]);
    }
}
