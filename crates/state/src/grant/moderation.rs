//! Who is let in besides, and who is kept out: a scene's invitations, and what its moderators have decided. What has ended is taken out of the settings
//! by whoever has a clock; here, what stands there holds. Source: `spec/topics.md` section 3.1.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use stoa_wire::topic::SceneName;

use super::claims::Claims;
use super::role::{Account, Role, SceneSettings, role_of};
use crate::time::UnixTime;

/// What stands before a guest's id where accounts have their name: no account's name holds a colon.
pub const GUEST: &str = "guest:";

/// A link that lets people in. The secret is not here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// By which it is named and taken back.
    pub id: String,
    /// What whoever has redeemed it is: viewer or editor.
    pub role: Role,
    /// Until when.
    pub ends: UnixTime,
    /// How many people may redeem it; `None`: any number.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub uses_max: Option<u32>,
    /// The account that made it.
    pub by: String,
}

/// What is kept from somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RestrictionKind {
    /// Says nothing in the chat.
    Silence,
    /// Is not in the scene.
    Out,
}

/// One decision about one person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restriction {
    /// By which it is lifted.
    pub id: String,
    /// What is kept from them.
    pub kind: RestrictionKind,
    /// Who: see [`Claims::who`].
    pub who: String,
    /// How they were called.
    pub shown: String,
    /// The account that decided it.
    pub by: String,
    /// Time of the decision.
    pub at: UnixTime,
    /// Until when; `None`: until it is lifted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ends: Option<UnixTime>,
}

/// What moderators have decided about a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Moderation {
    /// Whoever is not inside stays outside.
    pub locked: bool,
    /// Decisions about people.
    pub bars: Vec<Restriction>,
}

impl Moderation {
    /// Whether this is kept from `who`.
    pub fn keeps(&self, kind: RestrictionKind, who: &str) -> bool {
        self.bars.iter().any(|bar| bar.kind == kind && bar.who == who)
    }

    /// About how many guests, who are one browser, a decision about `who` is by now, at the most; 0: there is none.
    pub fn guests_of(&self, who: &str) -> usize {
        let alike = |bar: &Restriction| self.bars.iter().filter(|other| other.id == bar.id).count();
        self.bars.iter().filter(|bar| bar.who == who).map(alike).max().unwrap_or(0)
    }

    /// What was decided about a guest goes for the one whom its browser becomes as well: one decision, which is lifted at once.
    pub fn carry_over(&mut self, before: &str, who: &str) {
        let carried: Vec<Restriction> = self.bars.iter().filter(|bar| bar.who == before).cloned().collect();
        self.bars.extend(carried.into_iter().map(|bar| Restriction { who: who.into(), ..bar }));
    }

    pub(super) fn is_default(&self) -> bool {
        !self.locked && self.bars.is_empty()
    }
}

impl SceneSettings {
    /// The invitation of this id.
    pub fn invitation(&self, id: &str) -> Option<&Invitation> {
        self.invitations.iter().find(|invitation| invitation.id == id)
    }

    /// Whether anything in it has ended by now.
    pub fn has_ended(&self, now: UnixTime) -> bool {
        let is_over = |bar: &Restriction| bar.ends.is_some_and(|ends| ends <= now);
        self.invitations.iter().any(|invitation| invitation.ends <= now) || self.moderation.bars.iter().any(is_over)
    }

    /// Without what has ended by now.
    #[must_use]
    pub fn without_ended(mut self, now: UnixTime) -> SceneSettings {
        self.invitations.retain(|invitation| invitation.ends > now);
        self.moderation.bars.retain(|bar| bar.ends.is_none_or(|ends| ends > now));
        self
    }

    /// As they are for another scene, or one that was elsewhere: nobody was invited there, nor put out.
    #[must_use]
    pub fn without_people(mut self) -> SceneSettings {
        self.invitations.clear();
        self.moderation = Moderation::default();
        self
    }
}

/// The role of `account` in the scene `name` with an invitation that it has redeemed; `None`: it may not enter. An invitation gives no guest what the scene
/// gives none, and nobody what was taken from them.
pub fn role_with(
    name: &SceneName,
    settings: &SceneSettings,
    account: &Account<'_>,
    invitation: Option<&str>,
) -> Option<Role> {
    let own = role_of(name, settings, account);
    let Some(invited) = invitation.and_then(|id| settings.invitation(id)) else { return own };
    if account.guest && !settings.anonymous_users || settings.moderation.keeps(RestrictionKind::Out, account.name) {
        return own;
    }
    own.max(Some(invited.role.min(Role::Editor)))
}

/// As what `account` may moderate: as an owner, or as an editor whom the owner has named or invited. Not who builds only because everybody may, and no guest.
pub fn moderates(
    name: &SceneName,
    settings: &SceneSettings,
    account: &Account<'_>,
    invitation: Option<&str>,
) -> Option<Role> {
    if account.guest {
        return None;
    }
    let invited = invitation.and_then(|id| settings.invitation(id)).is_some_and(|found| found.role >= Role::Editor);
    let listed = settings.editors.iter().any(|editor| editor == account.name);
    match role_with(name, settings, account, invitation)? {
        Role::Owner => Some(Role::Owner),
        _ if listed || invited => Some(Role::Editor),
        _ => None,
    }
}

impl Claims {
    /// Who it is, for what is decided about people: the account's name; of a guest `guest:` and its browser's id, else its idTag.
    pub fn who(&self) -> Cow<'_, str> {
        if !self.guest {
            return Cow::Borrowed(&self.sub);
        }
        let id = self.guest_id.as_ref().or(self.user_id.as_ref()).unwrap_or(&self.sub);
        Cow::Owned(format!("{GUEST}{id}"))
    }

    /// As what its bearer may moderate.
    pub fn moderates(&self, name: &SceneName, settings: &SceneSettings) -> Option<Role> {
        if !self.follow_settings() {
            return self.may_build(name).then_some(Role::Owner);
        }
        let who = self.who();
        let account = Account { name: &who, realm_owner: false, guest: self.guest };
        moderates(name, settings, &account, self.invitation.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atrium() -> SceneName {
        "alice/atrium".parse().unwrap()
    }

    fn account(name: &str, guest: bool) -> Account<'_> {
        Account { name, realm_owner: false, guest }
    }

    fn invited(role: Role) -> SceneSettings {
        let invitation = Invitation { id: "i".into(), role, ends: UnixTime(100), uses_max: None, by: "alice".into() };
        SceneSettings { public_read: false, invitations: [invitation].into(), ..SceneSettings::default() }
    }

    fn out(who: &str) -> Moderation {
        let (who, shown, by) = (who.into(), String::new(), "alice".into());
        let bar = Restriction {
            id: "b".into(),
            kind: RestrictionKind::Out,
            who,
            shown,
            by,
            at: UnixTime(1),
            ends: Some(UnixTime(50)),
        };
        Moderation { locked: false, bars: [bar].into() }
    }

    #[test]
    fn an_invitation_lets_in_as_what_it_says_and_never_as_an_owner() {
        let role = |settings: &SceneSettings, guest, id| role_with(&atrium(), settings, &account("bob", guest), id);
        let editor = invited(Role::Editor);
        assert_eq!(role(&editor, false, None), None, "negative control: not redeemed");
        assert_eq!(role(&editor, false, Some("another")), None, "taken back");
        assert_eq!(role(&editor, false, Some("i")), Some(Role::Editor));
        assert_eq!(role(&editor, true, Some("i")), Some(Role::Editor));
        assert_eq!(role(&invited(Role::Viewer), true, Some("i")), Some(Role::Viewer));
        assert_eq!(role(&invited(Role::Owner), false, Some("i")), Some(Role::Editor));
        let members_only = SceneSettings { anonymous_users: false, ..invited(Role::Editor) };
        assert_eq!(role(&members_only, true, Some("i")), None, "no guest counts there");
        assert_eq!(role(&members_only, false, Some("i")), Some(Role::Editor));
    }

    #[test]
    fn whoever_was_put_out_stays_out_whatever_else_lets_them_in_but_an_owner_cannot_be() {
        let open = SceneSettings { moderation: out("bob"), public_write: true, ..SceneSettings::default() };
        let role = |settings: &SceneSettings, name, id| role_with(&atrium(), settings, &account(name, false), id);
        assert_eq!(role(&open, "carla", None), Some(Role::Editor), "negative control");
        assert_eq!(role(&open, "bob", None), None);
        let listed = SceneSettings { editors: ["bob".into()].into(), ..open.clone() };
        assert_eq!(role(&listed, "bob", None), None);
        let invited = SceneSettings { moderation: out("bob"), ..invited(Role::Editor) };
        assert_eq!(role(&invited, "bob", Some("i")), None);
        assert_eq!(role(&SceneSettings { moderation: out("alice"), ..open }, "alice", None), Some(Role::Owner));
    }

    #[test]
    fn owners_and_named_editors_moderate_and_nobody_who_builds_because_everybody_may() {
        let everybody = SceneSettings { public_write: true, ..SceneSettings::default() };
        let listed = SceneSettings { editors: ["bob".into()].into(), ..SceneSettings::default() };
        let of = |settings: &SceneSettings, name, guest, id| moderates(&atrium(), settings, &account(name, guest), id);
        assert_eq!(of(&everybody, "bob", false, None), None);
        assert_eq!(of(&everybody, "alice", false, None), Some(Role::Owner));
        assert_eq!(of(&listed, "bob", false, None), Some(Role::Editor));
        assert_eq!(of(&listed, "bob", true, None), None, "a guest of that name");
        assert_eq!(of(&invited(Role::Editor), "bob", false, Some("i")), Some(Role::Editor));
        assert_eq!(of(&invited(Role::Viewer), "bob", false, Some("i")), None);
        assert_eq!(of(&invited(Role::Editor), "guest:1", true, Some("i")), None);
    }

    #[test]
    fn what_has_ended_goes_and_the_rest_stays() {
        let settings = SceneSettings { moderation: out("bob"), ..invited(Role::Viewer) };
        assert!(!settings.has_ended(UnixTime(49)));
        assert!(settings.has_ended(UnixTime(50)));
        let left = settings.without_ended(UnixTime(50));
        assert!(left.moderation.bars.is_empty() && left.invitations.len() == 1);
        assert!(left.without_ended(UnixTime(100)).invitations.is_empty());
    }
}
