/** Tickets to the motion plane. Source: `spec/wire.md` section 1. */
import { isJsonObject, type JsonObject, textOr } from "../json-values.ts";
import type { FlowRights } from "../types.ts";

/**
 * A ticket for one connection. A transport is `null` if it is not offered, or its URL or hashes are malformed. The other
 * one can still be used.
 */
export interface MotionTicket {
  /** This person's idTag. The realm announces this person's head and hands under it. */
  readonly idTag: string;
  readonly webTransport: {
    readonly url: string;
    readonly certificateHashes: readonly Uint8Array<ArrayBuffer>[];
  } | null;
  readonly webSocket: { readonly url: string } | null;
  /** The rights to voices; `null` in a scene without voice. */
  readonly flows: FlowRights | null;
}

/** Decodes the response to a ticket request; `undefined` if it holds no ticket. */
export function decodeTicket(answer: unknown): MotionTicket | undefined {
  if (!isJsonObject(answer)) return undefined;
  const idTag = textOr(answer.id_tag, "");
  if (idTag === "") return undefined;
  const { webtransport, websocket, flows } = answer;
  const url = urlOf(webtransport, "https:");
  const hashes = isJsonObject(webtransport) ? hashesOf(webtransport) : undefined;
  const socketUrl = urlOf(websocket, "wss:") ?? urlOf(websocket, "ws:");
  return {
    idTag,
    webTransport: url === undefined || hashes === undefined ? null : { url, certificateHashes: hashes },
    webSocket: socketUrl === undefined ? null : { url: socketUrl },
    flows: isJsonObject(flows) ? { speak: flows.speak === true, hear: flows.hear === true } : null,
  };
}

/** The offer's URL if it is valid and has this scheme, such as `https:`. */
function urlOf(offer: unknown, scheme: string): string | undefined {
  const url = isJsonObject(offer) ? textOr(offer.url, "") : "";
  return URL.canParse(url) && new URL(url).protocol === scheme ? url : undefined;
}

function hashesOf({ certificate_hashes }: JsonObject): readonly Uint8Array<ArrayBuffer>[] | undefined {
  if (!Array.isArray(certificate_hashes)) return undefined;
  try {
    return certificate_hashes.map((hash) => Uint8Array.from(atob(String(hash)), (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
