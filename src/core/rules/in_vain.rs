//! Fields of a definition that change nothing, because another field does not give them anything to act on.

use super::compile::FieldError;
use super::definition::{CapturesTo, Definition, DeploymentKind, Repetition};
use crate::board::{Mask, parse_region};

/// The fields of a sound definition that change nothing, with the reason and what to write instead.
pub(super) fn in_vain(definition: &Definition) -> Vec<FieldError> {
    let Definition { setup, gating, deployment, drops, promotion, captures, ends, .. } = definition;
    let none = |region: &str| matches!(region.trim(), "" | "none");
    let mut found = Vec::new();
    let mut vain = |path: &str, message: &str| found.push(FieldError::new(path, message));
    let reserve_fills = !setup.reserve.is_empty() || captures.to == CapturesTo::Reserve;
    let hand_fills = !setup.hand.is_empty() || matches!(captures.to, CapturesTo::Hand | CapturesTo::Partner);
    if !reserve_fills {
        let remedy = "no piece is ever in a reserve; name pieces in `setup.reserve`";
        if gating.enabled {
            vain("gating.enabled", remedy);
        }
        if deployment.kind == DeploymentKind::Opening {
            vain("deployment.kind", remedy);
        }
        if !none(&drops.reserve) {
            vain("drops.reserve", remedy);
        }
    }
    if !hand_fills {
        let remedy =
            "no piece is ever in a hand; name pieces in `setup.hand`, or set `captures.to = \"hand\"`";
        if deployment.kind.is_of_hand() {
            vain("deployment.kind", remedy);
        }
        if !none(&drops.hand) {
            vain("drops.hand", remedy);
        }
    }
    if ends.repetition_loses.loser().is_some() && ends.repetition != Repetition::FourfoldPerpetual {
        let remedy = "only a fourfold repetition loses; set `ends.repetition = \"fourfold-perpetual\"`";
        vain("ends.repetition-loses", remedy);
    }
    if is_outside(definition, &promotion.forced, &promotion.zone) {
        vain("promotion.forced", "no pawn is promoted there; widen `promotion.zone`, or narrow this region");
    }
    found
}

/// True if a region has squares outside of another one.
fn is_outside(definition: &Definition, region: &str, of: &str) -> bool {
    let Some(board) = definition.board.board() else { return false };
    let squares = |text: &str| parse_region::<u128>(board, text).ok();
    matches!((squares(region), squares(of)), (Some(region), Some(of)) if (region & !of).any())
}
