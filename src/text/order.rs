//! Sorting of which little is compiled for each kind of items.
//!
//! The sorts of slices are compiled anew, as a whole, for every type and every key. These sort
//! numbers of items instead, once for all, and then put the items there: for lists that are short,
//! or sorted once in a call.

use std::cmp::Ordering;

/// Sorts; what is equal stays in its order.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Sorts by a key; what has the same stays in its order.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// Sorts by a comparison; what is equal stays in its order.
pub(crate) fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if items.is_sorted_by(|one, other| compare(one, other).is_le()) {
        return;
    }
    let swaps = swaps(items.len(), &|one, other| match (items.get(one), items.get(other)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => Ordering::Equal,
    });
    for (at, from) in swaps.into_iter().enumerate() {
        items.swap(at, from);
    }
}

/// Returns for each place, from the first to the last, the place that it is to be swapped with,
/// none before it, to bring so many items into order.
fn swaps(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|one, other| compare(*one, *other));
    let mut swaps: Vec<usize> = Vec::with_capacity(count);
    for (at, mut from) in order.into_iter().enumerate() {
        // What stood before this place has been swapped away, perhaps more than once.
        while let Some(next) = swaps.get(from).filter(|_| from < at) {
            from = *next;
        }
        swaps.push(from);
    }
    swaps
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_as_slices_do(keys in prop::collection::vec(0..20_u8, 0..60)) {
            let mut items: Vec<_> = keys.into_iter().enumerate().collect();
            let mut expected = items.clone();
            sort_by_key(&mut items, |(_, key)| *key);
            expected.sort_by_key(|(_, key)| *key);
            prop_assert_eq!(items, expected);
        }
    }
}
