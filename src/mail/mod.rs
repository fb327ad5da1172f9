//! Games by mail. A letter shows a player the position and has a line with the game and a secret code; the line, or a
//! reply that quotes it, is the player's answer. A sender's address proves nothing: the code does, or a signature.

mod answer;
mod desk;
mod inbox;
mod letter;

pub use answer::answer;
pub use desk::Desk;
pub use letter::Heading;
