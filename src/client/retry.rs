//! How often a request is sent again, and how long is waited in between.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How often a request is sent again, and how long is waited in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// How often a request is sent again after the first time.
    pub count: u32,
    /// The same where nothing has ever answered: there a wrong address is likelier than a service that comes back.
    pub unheard: u32,
    /// What is waited after the first failure; twice as long after each further one.
    pub first_wait: Duration,
    /// The longest wait, also of those that a service asks for.
    pub longest_wait: Duration,
}

impl Default for Retries {
    fn default() -> Retries {
        let (first_wait, longest_wait) = (Duration::from_millis(500), Duration::from_secs(60));
        Retries { count: 7, unheard: 3, first_wait, longest_wait }
    }
}

impl Retries {
    /// How often a request is sent again, to a service that was heard of or to one that never was.
    pub fn most(&self, heard: bool) -> u32 {
        if heard { self.count } else { self.unheard }
    }

    /// What is waited before a request is sent again, `failures` failures after the first. A service that asks for a
    /// longer wait gets it, up to the longest.
    pub fn wait(&self, failures: u32, asked: Option<Duration>) -> Duration {
        let doubled = self.first_wait.saturating_mul(1 << failures.min(20));
        // Up to a quarter more, so that clients that failed together do not come again together.
        let own = doubled + doubled.mul_f64(f64::from(chance()) / 1024.0);
        own.max(asked.unwrap_or_default()).min(self.longest_wait)
    }
}

/// A number from 0 to 255 that differs from one moment and process to the next.
fn chance() -> u8 {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
    (nanos ^ std::process::id().wrapping_mul(0x9e37_79b9)).to_le_bytes()[1]
}

/// What the header `Retry-After` asks for, in its form as seconds; dates are passed over.
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
