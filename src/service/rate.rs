//! The rate limit of requests from one address.

use super::limits::RATE_BURST_SECONDS;
use super::problem::{self, Problem};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::net::IpAddr;
use std::num::NonZeroU32;

/// Seconds for which an address may save up requests.
const BURST: NonZeroU32 = match NonZeroU32::new(RATE_BURST_SECONDS) {
    Some(seconds) => seconds,
    None => NonZeroU32::MIN,
};

/// The rate limit of requests from one address.
#[derive(Debug)]
pub struct Rate {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    per_second: NonZeroU32,
    /// Whether requests from this machine are counted too.
    counts_local: bool,
}

impl Rate {
    /// Allows a number of requests a second, and short bursts.
    pub fn new(per_second: NonZeroU32, counts_local: bool) -> Rate {
        let burst = per_second.saturating_mul(BURST);
        let limiter = RateLimiter::keyed(Quota::per_second(per_second).allow_burst(burst));
        Rate { limiter, per_second, counts_local }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// If the address has sent too many.
    pub fn count(&self, peer: Option<IpAddr>) -> Result<(), Problem> {
        let Some(peer) = peer.map(one_sender) else { return Ok(()) };
        if peer.is_loopback() && !self.counts_local {
            return Ok(());
        }
        self.limiter.check_key(&peer).map_err(|early| {
            let wait = early.wait_time_from(DefaultClock::default().now());
            let detail = format!("more than {} requests a second from {peer}", self.per_second);
            Problem::new(&problem::TOO_MANY_REQUESTS, detail).retry_after(wait.as_secs() + 1)
        })
    }

    /// Forgets idle addresses.
    pub fn forget(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

/// An IPv6 client usually has a whole /64 network, which counts as one address.
pub fn one_sender(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_too_often_waits() {
        let rate = Rate::new(NonZeroU32::MIN, false);
        let ask = |address: &str| rate.count(address.parse().ok()).map_err(|problem| problem.kind().name);
        for _ in 0..RATE_BURST_SECONDS {
            assert_eq!(ask("2001:db8::1"), Ok(()));
        }
        assert_eq!(ask("2001:db8::2"), Err("too-many-requests"));
        assert_eq!(ask("2001:db8:0:1::1"), Ok(()));
        assert!((0..1000).all(|_| ask("127.0.0.1").is_ok() && ask("::1").is_ok()));
        let counted = Rate::new(NonZeroU32::MIN, true);
        let refused = (0..1000).filter(|_| counted.count("127.0.0.1".parse().ok()).is_err()).count();
        assert!(refused > 900, "{refused}");
        rate.forget();
    }
}
