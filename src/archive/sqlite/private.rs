//! What events keep private, as the rows have it: from it their commitments are made, and checked again.

use crate::archive::identity::Header;
use crate::archive::log::Private;
use std::borrow::Cow;

/// How a text was to be read.
pub(super) fn read_as<'a>(variant: Option<&'a str>, style: Option<&'a str>, let_stand: bool) -> Private<'a> {
    Private {
        let_stand: let_stand.then_some(1),
        style: style.map(Cow::Borrowed),
        variant: variant.map(Cow::Borrowed),
        ..Private::default()
    }
}

/// The same with the tags of an entry, which its first submission has. The result is plain.
pub(super) fn with_header<'a>(private: Private<'a>, header: &'a Header) -> Private<'a> {
    let Header { white, black, nature, event, site, date, round, result: _ } = header;
    let text = |text: &'a str| Some(Cow::Borrowed(text));
    Private {
        black: text(black),
        date: text(date),
        event: text(event),
        nature: nature.as_deref().map(Cow::Borrowed),
        round: text(round),
        site: text(site),
        white: text(white),
        ..private
    }
}

/// Why an entry was withdrawn, and who asked for it.
pub(super) fn of_withdrawal<'a>(because: &'a str, token: Option<&'a str>) -> Private<'a> {
    Private { because: Some(Cow::Borrowed(because)), token: token.map(Cow::Borrowed), ..Private::default() }
}

/// Who has a token.
pub(super) fn of_token<'a>(name: &'a str, holder: &'a str) -> Private<'a> {
    Private { holder: Some(Cow::Borrowed(holder)), name: Some(Cow::Borrowed(name)), ..Private::default() }
}
