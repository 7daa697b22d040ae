import { accountOf, colorOf, type SceneSession } from "@stoa/client";
import { css, html, LitElement, nothing } from "lit";
import { Follow } from "./follow.ts";
import { look } from "./look.ts";

/** Who is here. */
export class StoaPeople extends LitElement {
  static override readonly properties = { session: { attribute: false } };
  static override readonly styles = [
    look,
    css`
      ul {
        list-style: none;
        margin: 0.6rem 0 0;
        padding: 0;
        display: grid;
        gap: 0.35rem;
        max-height: 40dvh;
        overflow: auto;
      }
      li {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        min-height: 2rem;
        overflow-wrap: anywhere;
      }
      svg {
        flex: none;
        width: 0.9rem;
        height: 0.9rem;
      }
    `,
  ];
  declare session: SceneSession | undefined;

  constructor() {
    super();
    new Follow(this, ["person", "reset", "status"]);
  }

  override render() {
    const { session } = this;
    if (session === undefined) return html``;
    const others = [...session.people.values()].sort((a, b) => a.displayName.localeCompare(b.displayName));
    return html`<h2>Here now: ${others.length + 1}</h2>
      <ul>
        <li>${dot(colorOf(session.me.idTag))}<span>${session.me.displayName} <span class="muted">(you, ${ROLES[session.me.role]})</span></span></li>
        ${others.map(({ idTag, displayName, color }) => html`<li>${dot(color)}<span>${displayName}${known(idTag, displayName)}</span></li>`)}
      </ul>`;
  }
}

/** A display name is the sender's word: the account beside it is the realm's. */
export function known(idTag: string, displayName: string) {
  const account = accountOf(idTag);
  return account === displayName ? nothing : html` <span class="muted">(${account})</span>`;
}

const ROLES = { viewer: "looking around", editor: "may build", owner: "owner" } as const;
const COLOR = /^#[0-9a-fA-F]{3,8}$/;

/** The colour of somebody's head; a policy without inline styles allows an attribute of SVG. */
function dot(color: string) {
  return html`<svg viewBox="0 0 10 10" aria-hidden="true">
    <circle cx="5" cy="5" r="5" fill=${COLOR.test(color) ? color : "currentColor"}></circle>
  </svg>`;
}
