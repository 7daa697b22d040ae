/** Texts of the page that a user sees in place of a scene. Part of `texts.ts`, split for its length. */
import { pluralsOf } from "./plurals.ts";

const plural = pluralsOf("en");

/** Facts that decide the text of a refusal. */
export interface RefusalDetails {
  /** Whether the address contains an invitation. */
  readonly invited: boolean;
  /** Whether the refusal ends by itself. */
  readonly timed: boolean;
}

/** The English texts of the page in place of a scene. */
export const refused = {
  haveAccount: "Have an account?",
  backIn: (seconds: number) => `Try again in ${wait(seconds)}`,
  kinds: {
    not_found: {
      title: "Scene not found",
      text: (scene: string) =>
        `${scene} doesn't exist, or it's private. If you have access, sign in. If someone sent you this address, ask them for an invitation.`,
    },
    not_allowed: {
      title: "You don't have access",
      text: (scene: string) => `${scene} is private. Sign in, or ask its owner for an invitation.`,
    },
    account_needed: {
      title: "Sign in to enter",
      text: (scene: string, { invited }: RefusalDetails) =>
        invited
          ? `${scene} doesn't allow guests. Sign in or create an account to use your invitation.`
          : `${scene} doesn't allow guests. Sign in to enter.`,
    },
    put_out: {
      title: "You were removed",
      text: (scene: string, { timed }: RefusalDetails) =>
        timed
          ? `A moderator removed you from ${scene}. You can return when the time is up.`
          : `A moderator banned you from ${scene}. Ask a moderator to lift the ban.`,
    },
    locked: {
      title: "This scene is locked",
      text: (scene: string) =>
        `A moderator locked ${scene}, so nobody new can enter. Ask a moderator to unlock it, or try again later. Moderators can sign in to enter.`,
    },
    full: {
      title: "This scene is full",
      text: (scene: string) => `${scene} has reached its maximum number of people. Try again when someone leaves.`,
    },
    restarting: {
      title: "The server is restarting",
      text: () => "You'll enter automatically when it's back.",
    },
    away: {
      title: "The server isn't responding",
      text: () => "It may be restarting, or your network may be down. You'll enter automatically when it's back.",
    },
    link_expired: {
      title: "This invitation has expired",
      text: (scene: string) => `Ask the person who invited you to ${scene} for a new one.`,
    },
    link_revoked: {
      title: "This invitation was revoked",
      text: (scene: string) => `The owner of ${scene} revoked it. Ask them for a new one.`,
    },
    link_used_up: {
      title: "This invitation is used up",
      text: () => "The maximum number of people have used it. Ask the sender for a new link.",
    },
    link_unknown: {
      title: "This invitation link doesn't work",
      text: () => "It may be incomplete, out of date, or for another server. Ask the sender for a new link.",
    },
    refused: {
      title: "You can't enter",
      text: (scene: string) => `The server doesn't let you into ${scene}.`,
    },
  },
};

/** A waiting time, rounded up. */
function wait(seconds: number): string {
  if (seconds < 120) return plural(seconds, { one: "# second", other: "# seconds" });
  if (seconds < 7_200) return plural(Math.ceil(seconds / 60), { one: "# minute", other: "# minutes" });
  if (seconds < 172_800) return plural(Math.ceil(seconds / 3_600), { one: "# hour", other: "# hours" });
  return plural(Math.ceil(seconds / 86_400), { one: "# day", other: "# days" });
}
