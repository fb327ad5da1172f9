//! Cosignatures of witnesses (c2sp.org/tlog-cosignature): someone else saw this head of a log, at this time, and it had
//! only grown since the one before.

use super::error::LogError;
use super::note::{COSIGNATURE, Checkpoint, PrivateKey, PublicKey, lines, malformed_line, split};

/// The public key of a witness.
pub type WitnessKey = PublicKey<COSIGNATURE>;

/// The private key of a witness.
pub type WitnessSigningKey = PrivateKey<COSIGNATURE>;

/// The text that a witness signs.
fn statement(seconds: u64, text: &str) -> String {
    format!("cosignature/v1\ntime {seconds}\n{text}")
}

impl PrivateKey<COSIGNATURE> {
    /// Adds the cosignature of a head that was seen at a time, in seconds since 1970. What else the head says about the
    /// log was checked before.
    ///
    /// # Errors
    /// If the text is not a checkpoint.
    pub fn cosign(&self, note: &str, seconds: u64) -> Result<String, LogError> {
        Checkpoint::read(note)?;
        let (text, _) = split(note)?;
        Ok(format!("{note}{}", self.line(&seconds.to_be_bytes(), &statement(seconds, text))))
    }
}

impl Checkpoint {
    /// When a witness first cosigned a signed note, in seconds since 1970; `None` if it has not.
    ///
    /// # Errors
    /// If a cosignature by its key is wrong.
    pub fn witnessed(note: &str, witness: &WitnessKey) -> Result<Option<u64>, LogError> {
        let (text, signatures) = split(note)?;
        let mut first = None;
        for line in lines(signatures) {
            let line = line?;
            let Some((time, signature)) = line.signature.split_first_chunk() else {
                return Err(malformed_line());
            };
            let seconds = u64::from_be_bytes(*time);
            if witness.check(&line, &statement(seconds, text), signature)? {
                first = first.map_or(Some(seconds), |first: u64| Some(first.min(seconds)));
            }
        }
        Ok(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::SigningKey;

    #[test]
    fn a_cosignature_is_of_its_time_and_its_head() {
        let log = SigningKey::new("a/b", &[1; 32]).unwrap();
        let one = WitnessSigningKey::new("w/1", &[2; 32]).unwrap();
        let two = WitnessSigningKey::new("w/2", &[3; 32]).unwrap();
        let checkpoint = Checkpoint { origin: "a/b".into(), size: 12, root: [7; 32] };
        let note = checkpoint.sign(&[&log]);
        let seen = |note: &str, by: &WitnessSigningKey| Checkpoint::witnessed(note, by.verifier());
        assert_eq!(seen(&note, &one), Ok(None));
        let cosigned = one.cosign(&note, 1_700_000_000).unwrap();
        assert!(cosigned.starts_with(&note));
        assert_eq!(Checkpoint::open(&cosigned, log.verifier()), Ok(checkpoint));
        assert_eq!((seen(&cosigned, &one), seen(&cosigned, &two)), (Ok(Some(1_700_000_000)), Ok(None)));
        let later = one.cosign(&two.cosign(&cosigned, 5).unwrap(), 1_800_000_000).unwrap();
        assert_eq!((seen(&later, &one), seen(&later, &two)), (Ok(Some(1_700_000_000)), Ok(Some(5))));
        // The same signature under another head, or with another time.
        assert!(matches!(seen(&cosigned.replace("12\n", "13\n"), &one), Err(LogError::Signature(_))));
        for cut in 0..cosigned.len() {
            let Some(rest) = cosigned.get(..cut) else { continue };
            assert!(!matches!(seen(rest, &one), Ok(Some(_))), "{cut}");
        }
        let again: WitnessSigningKey = one.to_secret_text().parse().unwrap();
        assert_eq!(again.verifier(), one.verifier());
        assert!(one.to_secret_text().parse::<SigningKey>().is_err(), "no key is for both");
        assert!(log.verifier().to_string().parse::<WitnessKey>().is_err());
        assert!(one.cosign("nothing", 1).is_err());
    }

    /// The example of the specification, as far as it needs no key: name, time and form of the line.
    #[test]
    fn the_form_is_that_of_the_specification() {
        let example = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\
            \u{2014} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q\
            1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n\
            \u{2014} witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin\
            1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n";
        let (_, signatures) = split(example).unwrap();
        let all: Vec<Vec<u8>> = lines(signatures).map(|line| line.unwrap().signature).collect();
        assert_eq!((all[0].len(), all[1].len()), (64, 72));
        assert_eq!(u64::from_be_bytes(*all[1].first_chunk().unwrap()), 1_679_315_147);
        let own = WitnessSigningKey::new("witness.example.com/w1", &[2; 32]).unwrap();
        assert_eq!(Checkpoint::witnessed(example, own.verifier()), Ok(None), "another key of this name");
        let cosigned = own.cosign(example, 1_679_315_147).unwrap();
        assert_eq!(cosigned.lines().last().map(str::len), example.lines().last().map(str::len));
    }
}
