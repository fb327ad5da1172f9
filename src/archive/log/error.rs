//! Why a proof is none.

/// Why a key, checkpoint, receipt or bundle is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The text is not what it should be.
    #[error("not a {what}: {why}")]
    Malformed {
        /// What was expected.
        what: &'static str,
        /// The fault.
        why: String,
    },
    /// No signature is by the key.
    #[error("no signature by the key `{0}`; compare it with the key of the service, `GET /log/key`")]
    OtherKey(String),
    /// The signature is not one of this text.
    #[error("the signature by the key `{0}` is wrong: the checkpoint was changed, or never signed")]
    Signature(String),
    /// The proof does not lead to the signed root.
    #[error("the proof of leaf {index} does not lead to the signed root: the leaf or the proof was changed")]
    Proof {
        /// The number of the leaf.
        index: u64,
    },
    /// A bundle shows something else than what was logged.
    #[error("{what} of event {index} is not what was logged: the bundle was changed")]
    Opening {
        /// The number of the event.
        index: u64,
        /// What differs.
        what: String,
    },
    /// This version judges a text of a bundle otherwise.
    #[error("the text of event {index} is judged otherwise by this version: {otherwise}")]
    Otherwise {
        /// The number of the event.
        index: u64,
        /// The first fact that differs.
        otherwise: String,
    },
    /// A receipt is of another text than those in a file.
    #[error(
        "event {index} is about another text: no game of {file} is the one that was submitted, byte for byte"
    )]
    OtherRecord {
        /// The number of the event.
        index: u64,
        /// The file.
        file: String,
    },
    /// A witness has not cosigned the head.
    #[error("no cosignature by the witness `{0}`; ask it for one, which `ferz witness cosign` makes")]
    NotWitnessed(String),
}

impl LogError {
    pub(crate) fn malformed(what: &'static str, why: impl Into<String>) -> LogError {
        LogError::Malformed { what, why: why.into() }
    }
}
