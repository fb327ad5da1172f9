//! Records in mail, on web pages, in chats and tables: what people write around a game, and how they arrange it.

pub(super) mod arranged;
pub(super) mod lines;
pub(super) mod mime;
pub(super) mod named_tags;
pub(super) mod tokens;
pub(super) mod transport;
