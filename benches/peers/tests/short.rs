//! The comparison can be made: memdoc is never wrong, and every timed output is the wished one.

use peers::{Extent, Failure, print_cases, print_tables};

#[test]
fn the_comparison_holds() -> Result<(), Failure> {
    print_cases()?;
    print_tables(Extent::Short)
}
