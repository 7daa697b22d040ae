//! The motion settings that a scene sets instead of the realm's.

use serde::{Deserialize, Serialize};

use super::MotionSettings;
use super::interest::{InterestPolicyError, InterestSetPolicy};
use crate::limits;

/// A scene's motion settings; absent ones are the realm's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MotionSettingsOverrides {
    /// The policy that chooses each receiver's interest set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<InterestSetPolicy>,
    /// Limit of the frames to each receiver, in bytes per second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_per_s: Option<u32>,
}

/// Invalid motion settings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MotionOverridesError {
    /// Unknown policy, or a parameter out of range.
    #[error(transparent)]
    Policy(#[from] InterestPolicyError),
    /// Budget out of range.
    #[error("budget must be {min} to {max} bytes per second, got {0}", min = limits::MOTION_BYTES_PER_S_MIN, max = limits::MOTION_BYTES_PER_S_MAX)]
    Budget(u32),
}

impl MotionSettingsOverrides {
    /// Applies the overrides to the realm's settings.
    pub fn over(self, realm: MotionSettings) -> MotionSettings {
        let MotionSettingsOverrides { policy, bytes_per_s } = self;
        MotionSettings {
            policy: policy.unwrap_or(realm.policy),
            bytes_per_s: bytes_per_s.unwrap_or(realm.bytes_per_s),
            ..realm
        }
    }

    /// Checks the range of the budget; a policy is checked when it is parsed. Errors: [`MotionOverridesError::Budget`].
    pub fn check(&self) -> Result<(), MotionOverridesError> {
        let possible = limits::MOTION_BYTES_PER_S_MIN..=limits::MOTION_BYTES_PER_S_MAX;
        self.bytes_per_s
            .filter(|budget| !possible.contains(budget))
            .map_or(Ok(()), |budget| Err(MotionOverridesError::Budget(budget)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_motion_overrides_fall_back_to_the_realm_and_budgets_are_checked() {
        let realm = MotionSettings { policy: InterestSetPolicy::HEX, bytes_per_s: 100_000, has_voice: true };
        assert_eq!(MotionSettingsOverrides::default().over(realm), realm);
        let overrides = MotionSettingsOverrides { policy: Some(InterestSetPolicy::All), bytes_per_s: Some(50_000) };
        assert_eq!(
            overrides.over(realm),
            MotionSettings { policy: InterestSetPolicy::All, bytes_per_s: 50_000, ..realm }
        );
        assert_eq!(overrides.check(), Ok(()));
        for budget in [0, limits::MOTION_BYTES_PER_S_MIN - 1, limits::MOTION_BYTES_PER_S_MAX + 1] {
            assert_eq!(
                MotionSettingsOverrides { bytes_per_s: Some(budget), ..overrides }.check(),
                Err(MotionOverridesError::Budget(budget))
            );
        }
    }
}
