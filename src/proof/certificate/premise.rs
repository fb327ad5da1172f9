//! What a verdict rests on besides the moves of its record.

use ferz_core::named;
use ferz_core::text::deserialize_named;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

named! {
    /// A fact that decides a claim and that the record does not show. The first ones are stated by the claimant, and an
    /// arbiter confirms them; the others follow from the record and the claim.
    Premise {
        /// The claimant's opponent exceeded the time.
        Overstepped "overstepped" "FIDE 6.9",
        /// The claimant's opponent resigned.
        Resigned "resigned" "FIDE 5.1.2",
        /// The players agreed on a draw.
        Agreed "agreed" "FIDE 5.2.3",
        /// The claimant's opponent no longer answers.
        Silent "silent" "ADJ-4",
        /// The claimant's opponent did not appear.
        Defaulted "defaulted" "FIDE 6.7.1",
        /// The irregularity was found after the game.
        FoundAfterTheGame "found-after-the-game" "FIDE 7.5.1",
        /// The irregularity was found during the game.
        FoundDuringTheGame "found-during-the-game" "FIDE 7.5.1",
        /// The opponent had not answered the illegal ply when it was found.
        Unanswered "unanswered" "FIDE 7.5.1",
        /// The piece letters are those of the language given.
        Language "language" "ADJ-1",
        /// The draw was claimed before the next ply of the record was made.
        ClaimedInTime "claimed-in-time" "FIDE 9.4",
        /// The counter of moves in the FEN of the start is right.
        CounterOfStart "counter-of-start" "ADJ-1",
        /// The record has no date, and the Laws of today hold.
        LawsOfToday "laws-of-today" "ADJ-1",
    }
}

impl Premise {
    /// Those that a claimant may state.
    pub const STATED: [Premise; 9] = [
        Premise::Overstepped,
        Premise::Resigned,
        Premise::Agreed,
        Premise::Silent,
        Premise::Defaulted,
        Premise::FoundAfterTheGame,
        Premise::FoundDuringTheGame,
        Premise::Unanswered,
        Premise::Language,
    ];

    /// The one of this id that a claimant may state.
    pub fn stated(id: &str) -> Option<Premise> {
        Premise::STATED.into_iter().find(|premise| premise.id() == id)
    }

    /// The premise in a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            Premise::Overstepped => "the opponent exceeded the time",
            Premise::Resigned => "the opponent resigned",
            Premise::Agreed => "the players agreed on a draw",
            Premise::Silent => "the opponent no longer answers",
            Premise::Defaulted => "the opponent did not appear",
            Premise::FoundAfterTheGame => "the irregularity was found after the game",
            Premise::FoundDuringTheGame => "the irregularity was found during the game",
            Premise::Unanswered => "the opponent had not answered the illegal ply when it was found",
            Premise::Language => "the piece letters are those of the language given",
            Premise::ClaimedInTime => "the draw was claimed before the next ply of the record was made",
            Premise::CounterOfStart => "the counter of moves in the FEN of the start is right",
            Premise::LawsOfToday => "the record has no date; the Laws of today hold",
        }
    }
}
