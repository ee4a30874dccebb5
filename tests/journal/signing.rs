//! Signatures of entries.

use crate::memory::journal::checks::fixture::{Checked, rich, told};
use crate::memory::journal::{Entry, Signatures, SigningKey, Unsigned, Verifier};

fn key(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

fn verifier(keys: &[u8], unsigned: Unsigned) -> Verifier {
    let keys = keys.iter().map(|seed| key(*seed).verifying_key()).collect();
    Verifier::new().with_signatures(Signatures { keys, unsigned })
}

fn signed(seed: u8) -> Vec<String> {
    rich(1).entries.iter().map(|entry| entry.clone().signed(&key(seed)).to_line()).collect()
}

#[test]
fn signatures_of_a_key_hold_and_no_others() {
    let lines = signed(1);
    assert_eq!(told(verifier(&[1], Unsigned::Refused), &lines), [""; 0]);
    assert_eq!(told(verifier(&[2, 1], Unsigned::Refused), &lines), [""; 0]);
    assert_eq!(told(verifier(&[2], Unsigned::Allowed), &lines).len(), 15);
    assert_eq!(told(verifier(&[], Unsigned::Allowed), &lines).len(), 15);
    assert_eq!(told(Verifier::new(), &lines), [""; 0], "who has no key verifies the rest");
}

#[test]
fn a_signature_that_is_missing_is_refused_only_where_that_is_asked() {
    let mut lines = signed(1);
    lines[3] = rich(1).written().swap_remove(3);
    assert_eq!(told(verifier(&[1], Unsigned::Allowed), &lines), [""; 0]);
    assert_eq!(told(verifier(&[1], Unsigned::Refused), &lines), ["entry 4: is not signed as it should be"]);
}

#[test]
fn a_signature_of_another_entry_or_with_a_bit_turned_over_does_not_hold() -> Checked {
    let (lines, entries) = (signed(1), rich(1).entries);
    let mut moved = Entry::parse(lines[3].as_bytes())?;
    moved.signature = Entry::parse(lines[4].as_bytes())?.signature;
    let mut exchanged = lines.clone();
    exchanged[3] = moved.to_line();
    assert_eq!(told(verifier(&[1], Unsigned::Refused), &exchanged), ["entry 4: is not signed as it should be"]);
    let entry = &entries[3];
    for bit in (0..512).step_by(37) {
        let mut turned = entry.clone().signed(&key(1));
        turned.signature.iter_mut().for_each(|signature| signature.0[bit / 8] ^= 1 << (bit % 8));
        let mut exchanged = lines.clone();
        exchanged[3] = turned.to_line();
        assert_eq!(told(verifier(&[1], Unsigned::Refused), &exchanged).len(), 1, "{bit}");
    }
    Ok(())
}

#[test]
fn a_signature_is_of_a_label_and_the_hash() -> Checked {
    use ed25519_dalek::{Signature, Signer as _};
    let mut entry = rich(1).entries.swap_remove(3);
    // The same key signs the bare hash for another purpose.
    let bare: Signature = key(1).sign(entry.hash().as_bytes());
    entry.signature = Some(crate::text::Hex(bare.to_bytes()));
    let mut lines = signed(1);
    lines[3] = entry.to_line();
    assert_eq!(told(verifier(&[1], Unsigned::Allowed), &lines), ["entry 4: is not signed as it should be"]);
    Ok(())
}

#[test]
fn a_part_that_is_erased_leaves_the_signature_whole() -> Checked {
    let entry = rich(1).entries.swap_remove(3).signed(&key(1));
    let erased = entry.without_body().without_lookup();
    let mut lines = signed(1);
    lines[3] = erased.to_line();
    let found = told(verifier(&[1], Unsigned::Refused), &lines);
    assert!(found.iter().all(|finding| finding.contains("lacks its")), "{found:?}");
    Ok(())
}
