//! What events keep private, as the rows have it: from it their commitments are made, and checked again.

use super::log::event_number;
use crate::identity::Header;
use crate::log::Private;
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

/// Why an entry was withdrawn or reinstated, and who asked for it.
pub(super) fn of_withdrawal<'a>(because: &'a str, token: Option<&'a str>, by: Option<i64>) -> Private<'a> {
    asked_by(Private { because: Some(Cow::Borrowed(because)), ..Private::default() }, token, by)
}

/// The same with the token that asked for the event: its name, and the event that created it.
pub(super) fn asked_by<'a>(private: Private<'a>, token: Option<&'a str>, by: Option<i64>) -> Private<'a> {
    let by = by.map(event_number);
    Private { by, token: token.map(Cow::Borrowed), ..private }
}

/// All that happened in an act, and the token that asked for it.
pub(super) fn of_act<'a>(what: &'a str, token: Option<&'a str>, by: Option<i64>) -> Private<'a> {
    asked_by(Private { act: Some(Cow::Borrowed(what)), ..Private::default() }, token, by)
}

/// Who has a token.
pub(super) fn of_token<'a>(name: &'a str, holder: &'a str) -> Private<'a> {
    Private { holder: Some(Cow::Borrowed(holder)), name: Some(Cow::Borrowed(name)), ..Private::default() }
}
