//! L2: how pieces move, and which pieces make an army.
//!
//! [`betza`] turns a movement in Betza notation (`ffNsbN`) into elementary [`Mover`](betza::Mover)s;
//! [`army`] enumerates and reads armies that are chosen from lists of such movements.
//! Nothing here knows a board, a position or a game: movements are vectors as the owner sees them.

pub mod army;
pub mod betza;
