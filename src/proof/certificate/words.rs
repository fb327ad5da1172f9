//! What a certificate says to people.

use super::{Certificate, CertificateKind, ClaimKind, Evidence, Fifty, Premise};
use crate::syzygy::FileId;
use ferz_core::text::visible;
use ferz_records::record::read;
use ferz_records::replay::summary::counted;

/// What an accepted certificate shows, and all that it rests on, a line each.
pub fn shown(certificate: &Certificate) -> Vec<String> {
    let Certificate { claim, verdict, rules, .. } = certificate;
    let within = claim
        .within
        .map_or_else(String::new, |moves| format!(" within {}", counted(moves as usize, "move", "moves")));
    let fifty = match certificate.fifty {
        Fifty::Applied => "",
        Fifty::Suspended => ", without fifty moves",
    };
    let by = claim.by.map_or_else(String::new, |by| format!(" by {}", by.name()));
    let at = claim.ply.map_or_else(String::new, |ply| format!(" at ply {ply}"));
    let intended =
        claim.intended.as_deref().map_or_else(String::new, |text| format!(" with the intended `{text}`"));
    let instant = claim.at.map_or_else(String::new, |at| format!(" at {at}"));
    let result = certificate.result.map_or_else(String::new, |result| format!("; the game is {result}"));
    let mut rests: Vec<String> = Vec::new();
    if claim.at.is_some() {
        rests.push("The record does not show the instant of the claim; an arbiter confirms it.".to_owned());
    }
    if certificate.kind == CertificateKind::Ruling {
        rests.push("The premise of the claim is not part of the proof; an arbiter confirms it.".to_owned());
    }
    let premise = |premise: &Premise| format!("premise: {premise}: {}", premise.words());
    rests.extend(certificate.premises.iter().map(premise));
    if let (Some(code), Some(digest)) = (&certificate.language, &certificate.language_digest) {
        rests.push(format!("language: {code}, digest {digest}"));
    }
    rests.extend(of_files(certificate));
    rests.extend(of_record(certificate));
    rests.push("policy: none; the verdict does not depend on one".to_owned());
    let kind = claim.kind.words();
    let mut lines = vec![
        format!("{kind}{within}{by}{at}{intended}{instant} is {verdict}{fifty}{result}"),
        format!("rules: {}, edition {}, digest {}", rules.name, rules.edition, rules.digest),
    ];
    lines.append(&mut rests);
    lines
}

/// The files of endgame tables that a certificate rests on.
fn of_files(certificate: &Certificate) -> Vec<String> {
    let Evidence::Proof(proof) = &certificate.evidence else { return Vec::new() };
    let named = |FileId { name, bytes, checksum }: &FileId| {
        format!("endgame table: {name}, {bytes} bytes, checksum {checksum}; its values are trusted")
    };
    let lines = proof.files().into_iter().map(named);
    lines.map(|line| visible(line.as_bytes())).collect()
}

/// What the record of a certificate says about its game, and where the game went on.
fn of_record(certificate: &Certificate) -> Vec<String> {
    let Some(record) = read(certificate.record.as_bytes(), 0).next() else {
        return Vec::new();
    };
    let tag = |name: &str| record.tag(name).map_or_else(|| "?".to_owned(), |value| value.into_owned());
    let mut out = vec![format!(
        "record: {} - {}, {}, {}, round {}; digest {}",
        tag("White"),
        tag("Black"),
        tag("Event"),
        tag("Date"),
        tag("Round"),
        certificate.digest
    )];
    let (written, shown) = (record.main_moves().count(), certificate.plies.len());
    if shown < written && certificate.claim.kind != ClaimKind::IllegalPly {
        out.push(format!("as of ply {shown}; the record goes on to ply {written}"));
    }
    if record.tag("FEN").is_some() {
        out.push(format!("start: {}; its counters and clocks are the record's word", tag("FEN")));
    }
    // A terminal would obey control characters.
    out.iter().map(|line| visible(line.as_bytes())).collect()
}
