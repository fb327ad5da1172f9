//! L2: how pieces move, and which pieces make an army.
//!
//! [`betza`] turns a movement in Betza notation (`ffNsbN`) into elementary [`Mover`](betza::Mover)s;
//! [`army`] enumerates and reads armies that are chosen from lists of such movements.
//! Independent of boards, positions and games: movements are vectors from the owner's side.

pub mod army;
pub mod betza;
