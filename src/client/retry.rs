//! The number of retries, and the waits between them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The number of retries, and the waits between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// Number of retries.
    pub count: u32,
    /// Number of retries before the first answer: a wrong address is then likelier than a service that comes back.
    pub unheard: u32,
    /// The wait after the first failure; it doubles after each further one.
    pub first_wait: Duration,
    /// The longest wait, also if the service asks for more.
    pub longest_wait: Duration,
}

impl Default for Retries {
    fn default() -> Retries {
        let (first_wait, longest_wait) = (Duration::from_millis(500), Duration::from_secs(60));
        Retries { count: 7, unheard: 3, first_wait, longest_wait }
    }
}

impl Retries {
    /// The number of retries, depending on whether the service has ever answered.
    pub fn most(&self, heard: bool) -> u32 {
        if heard { self.count } else { self.unheard }
    }

    /// The wait before a retry, `failures` failures after the first. If the service asks for a longer wait it is used,
    /// up to the longest.
    pub fn wait(&self, failures: u32, asked: Option<Duration>) -> Duration {
        let doubled = self.first_wait.saturating_mul(1 << failures.min(20));
        // Add up to a quarter, so that clients that failed together do not retry together.
        let own = doubled + doubled.mul_f64(f64::from(chance()) / 1024.0);
        own.max(asked.unwrap_or_default()).min(self.longest_wait)
    }
}

/// A number from 0 to 255 that varies with time and process.
fn chance() -> u8 {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
    (nanos ^ std::process::id().wrapping_mul(0x9e37_79b9)).to_le_bytes()[1]
}

/// The seconds in the header `Retry-After`; dates are ignored.
pub(super) fn asked(header: Option<&str>) -> Option<Duration> {
    header?.trim().parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest() {
        let (first_wait, longest_wait) = (Duration::from_secs(1), Duration::from_secs(5));
        let retries = Retries { first_wait, longest_wait, ..Retries::default() };
        for (failures, least) in [(0, 1), (1, 2), (2, 4), (3, 5)] {
            let wait = retries.wait(failures, None);
            assert!(wait >= Duration::from_secs(least) && wait <= Duration::from_secs(5), "{wait:?}");
        }
        assert_eq!(retries.wait(0, Some(Duration::from_secs(3))), Duration::from_secs(3));
        assert_eq!(retries.wait(0, Some(Duration::from_secs(3600))), Duration::from_secs(5));
    }

    #[test]
    fn only_seconds_are_understood() {
        assert_eq!(asked(Some(" 7 ")), Some(Duration::from_secs(7)));
        assert_eq!(asked(Some("Fri, 31 Dec 2027 23:59:59 GMT")), None);
        assert_eq!(asked(None), None);
    }
}
