//! Invitations and moderators' decisions of a scene. All entries in the settings apply; a caller with a clock
//! removes the expired ones. Source: `spec/topics.md` section 3.1.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use stoa_wire::topic::SceneName;

use super::claims::Claims;
use super::role::{Role, RoleRequester, SceneSettings, role_of};
use crate::time::UnixSeconds;

/// Prefix of a guest's id in place of an account's name, which never contains a colon.
pub const GUEST: &str = "guest:";

/// An invitation link, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// Id, by which it is revoked.
    pub id: String,
    /// The role that the link grants: viewer or editor.
    pub role: Role,
    /// When it expires.
    pub ends: UnixSeconds,
    /// Number of people who may redeem it; `None` means any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub uses_max: Option<u32>,
    /// The account that created it.
    pub by: String,
}

/// The kind of a restriction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RestrictionKind {
    /// Muted: cannot chat, react or change the display name.
    Silence,
    /// Removed from the scene.
    Out,
}

/// A moderator's decision about one person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restriction {
    /// Id, by which it is lifted.
    pub id: String,
    /// The kind.
    pub kind: RestrictionKind,
    /// The person, as [`Claims::who`] identifies it.
    pub who: String,
    /// The person's display name at that time. A muted person keeps it.
    pub shown: String,
    /// The deciding account.
    pub by: String,
    /// Time of the decision.
    pub at: UnixSeconds,
    /// When it expires; `None` means never.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ends: Option<UnixSeconds>,
    /// Id of the account's restriction that this one extends to the guests of the account's browser.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub extends: Option<String>,
}

impl Restriction {
    /// This restriction, extended to a guest. Extensions of one restriction share an id, so they are lifted together.
    fn extended_to(&self, guest: String) -> Restriction {
        Restriction { id: format!("{}-guests", self.id), who: guest, extends: Some(self.id.clone()), ..self.clone() }
    }
}

/// The moderators' decisions for a scene.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Moderation {
    /// Whether the scene is locked for people outside.
    pub locked: bool,
    /// Decisions about people.
    pub bars: Vec<Restriction>,
}

impl Moderation {
    /// Whether a person has this restriction.
    pub fn keeps(&self, kind: RestrictionKind, who: &str) -> bool {
        self.bars.iter().any(|bar| bar.kind == kind && bar.who == who)
    }

    /// The display name that a person is shown with: `chosen`, or for a muted person the one at the time of the
    /// decision.
    pub fn shown_name<'a>(&'a self, person: &Claims, chosen: &'a str) -> &'a str {
        if self.bars.is_empty() {
            return chosen;
        }
        let who = person.who();
        let mute = self.bars.iter().find(|bar| bar.kind == RestrictionKind::Silence && bar.who == who);
        mute.map_or(chosen, |mute| &mute.shown)
    }

    /// Adds a decision about a person in place of an earlier one of its kind. A decision about an account also applies
    /// to guests of `browser`, in which the account is present, and of the browsers of the earlier decision.
    pub fn decide(&mut self, bar: Restriction, browser: Option<&str>) {
        let is_replaced = |old: &Restriction| old.extends.is_none() && old.who == bar.who && old.kind == bar.kind;
        let before = core::mem::take(&mut self.bars).into_iter();
        let (replaced, before): (Vec<Restriction>, Vec<Restriction>) = before.partition(is_replaced);
        let extends_it = |old: &Restriction| replaced.iter().any(|it| old.extends.as_ref() == Some(&it.id));
        let (extended, before): (Vec<Restriction>, Vec<Restriction>) = before.into_iter().partition(extends_it);
        let mut guests: BTreeSet<String> = extended.into_iter().map(|old| old.who).collect();
        guests.extend(browser.filter(|_| !bar.who.starts_with(GUEST)).map(|id| format!("{GUEST}{id}")));
        let extensions: Vec<Restriction> = guests.into_iter().map(|guest| bar.extended_to(guest)).collect();
        self.bars = before;
        self.bars.push(bar);
        self.bars.extend(extensions);
    }

    /// Lifts a decision with its extension to guests. The extension can also be lifted alone.
    pub fn lift(&mut self, id: &str) {
        self.bars.retain(|bar| bar.id != id && bar.extends.as_deref() != Some(id));
    }

    /// Largest number of entries that share the id of a restriction of the guest `who`; 0 without a restriction.
    pub fn guests_of(&self, who: &str) -> usize {
        let alike = |bar: &Restriction| self.bars.iter().filter(|other| other.id == bar.id).count();
        self.bars.iter().filter(|bar| bar.who == who).map(alike).max().unwrap_or(0)
    }

    /// Extends the restrictions of a guest to the next id of its browser. Both copies share one id, so they are
    /// lifted together.
    pub fn carry_over(&mut self, before: &str, who: &str) {
        let carried: Vec<Restriction> = self.bars.iter().filter(|bar| bar.who == before).cloned().collect();
        self.bars.extend(carried.into_iter().map(|bar| Restriction { who: who.into(), ..bar }));
    }

    pub(super) fn is_default(&self) -> bool {
        !self.locked && self.bars.is_empty()
    }
}

impl SceneSettings {
    /// Finds an invitation by its id.
    pub fn invitation(&self, id: &str) -> Option<&Invitation> {
        self.invitations.iter().find(|invitation| invitation.id == id)
    }

    /// Whether any invitation or restriction has expired.
    pub fn has_ended(&self, now: UnixSeconds) -> bool {
        let is_over = |bar: &Restriction| bar.ends.is_some_and(|ends| ends <= now);
        self.invitations.iter().any(|invitation| invitation.ends <= now) || self.moderation.bars.iter().any(is_over)
    }

    /// Removes expired invitations and restrictions.
    #[must_use]
    pub fn without_ended(mut self, now: UnixSeconds) -> SceneSettings {
        self.invitations.retain(|invitation| invitation.ends > now);
        self.moderation.bars.retain(|bar| bar.ends.is_none_or(|ends| ends > now));
        self
    }

    /// The settings for another scene or server, without invitations, restrictions and lock.
    #[must_use]
    pub fn without_people(mut self) -> SceneSettings {
        self.invitations.clear();
        self.moderation = Moderation::default();
        self
    }
}

/// The role of `account` in a scene with a redeemed invitation; `None` if it may not enter. An invitation doesn't
/// admit guests where the scene admits none, and doesn't lift a restriction.
pub fn role_with(
    name: &SceneName,
    settings: &SceneSettings,
    account: &RoleRequester<'_>,
    invitation: Option<&str>,
) -> Option<Role> {
    let own = role_of(name, settings, account);
    let Some(invited) = invitation.and_then(|id| settings.invitation(id)) else { return own };
    if account.guest && !settings.anonymous_users || settings.moderation.keeps(RestrictionKind::Out, account.name) {
        return own;
    }
    own.max(Some(invited.role.min(Role::Editor)))
}

/// The role in which `account` moderates: owner, or editor if the settings list it or an invitation made it one.
/// Editors by `public_write` and guests don't moderate.
pub fn moderates(
    name: &SceneName,
    settings: &SceneSettings,
    account: &RoleRequester<'_>,
    invitation: Option<&str>,
) -> Option<Role> {
    if account.guest {
        return None;
    }
    let invited = invitation.and_then(|id| settings.invitation(id)).is_some_and(|found| found.role >= Role::Editor);
    let listed = settings.editors.has(account.name);
    match role_with(name, settings, account, invitation)? {
        Role::Owner => Some(Role::Owner),
        _ if listed || invited => Some(Role::Editor),
        _ => None,
    }
}

impl Claims {
    /// Identifies the person for moderation: the account's name, or `guest:` with a guest's browser id, else its
    /// idTag.
    pub fn who(&self) -> Cow<'_, str> {
        if !self.guest {
            return Cow::Borrowed(&self.sub);
        }
        let id = self.guest_id.as_ref().or(self.user_id.as_ref()).unwrap_or(&self.sub);
        Cow::Owned(format!("{GUEST}{id}"))
    }

    /// The role in which the bearer moderates.
    pub fn moderates(&self, name: &SceneName, settings: &SceneSettings) -> Option<Role> {
        if !self.follow_settings() {
            return self.may_build(name).then_some(Role::Owner);
        }
        let who = self.who();
        let account = RoleRequester { name: &who, realm_owner: false, guest: self.guest };
        moderates(name, settings, &account, self.invitation.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atrium() -> SceneName {
        "alice/atrium".parse().unwrap()
    }

    fn account(name: &str, guest: bool) -> RoleRequester<'_> {
        RoleRequester { name, realm_owner: false, guest }
    }

    fn invited(role: Role) -> SceneSettings {
        let invitation =
            Invitation { id: "i".into(), role, ends: UnixSeconds(100), uses_max: None, by: "alice".into() };
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
            at: UnixSeconds(1),
            ends: Some(UnixSeconds(50)),
            extends: None,
        };
        Moderation { locked: false, bars: [bar].into() }
    }

    #[test]
    fn an_invitation_grants_its_role_but_never_ownership() {
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
    fn a_ban_overrides_editor_lists_and_invitations_but_not_the_owner() {
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
    fn owners_and_named_editors_moderate_but_public_write_editors_do_not() {
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
    fn a_ban_extends_to_guests_of_the_accounts_browser_until_either_is_lifted() {
        let bar = out("bob").bars.remove(0);
        let decided = || {
            let mut moderation = Moderation::default();
            moderation.decide(bar.clone(), Some("b1"));
            moderation
        };
        let keeps = |moderation: &Moderation| {
            ["bob", "guest:b1", "carla"].map(|who| moderation.keeps(RestrictionKind::Out, who))
        };
        assert_eq!(keeps(&decided()), [true, true, false], "another account in that browser enters");
        let mut lifted = decided();
        lifted.lift("b");
        assert!(lifted.bars.is_empty());
        let mut next_pupil = decided();
        next_pupil.lift("b-guests");
        assert_eq!(keeps(&next_pupil), [true, false, false]);
    }

    #[test]
    fn a_later_ban_keeps_the_earlier_browsers_and_a_guest_ban_extends_to_none() {
        let bar = out("bob").bars.remove(0);
        let mut moderation = Moderation::default();
        moderation.decide(bar.clone(), Some("b1"));
        moderation.decide(Restriction { id: "c".into(), ..bar.clone() }, Some("b2"));
        let ids = |moderation: &Moderation| moderation.bars.iter().map(|bar| bar.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&moderation), ["c", "c-guests", "c-guests"]);
        moderation.lift("c");
        moderation.decide(Restriction { who: "guest:b1".into(), ..bar }, Some("b1"));
        assert_eq!(ids(&moderation), ["b"]);
    }

    #[test]
    fn only_expired_invitations_and_restrictions_are_removed() {
        let settings = SceneSettings { moderation: out("bob"), ..invited(Role::Viewer) };
        assert!(!settings.has_ended(UnixSeconds(49)));
        assert!(settings.has_ended(UnixSeconds(50)));
        let left = settings.without_ended(UnixSeconds(50));
        assert!(left.moderation.bars.is_empty() && left.invitations.len() == 1);
        assert!(left.without_ended(UnixSeconds(100)).invitations.is_empty());
    }
}
