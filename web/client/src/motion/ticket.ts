/** What a realm hands out for one stay on the motion plane. Source: `spec/wire.md` section 1. */
import { isPlain, type Plain, textOr } from "../plain.ts";

/** The ways in that a ticket opens; `null`: this realm does not offer it. */
export interface MotionTicket {
  /** By what the own head is named. */
  readonly idTag: string;
  readonly webTransport: {
    readonly url: string;
    readonly certificateHashes: readonly Uint8Array<ArrayBuffer>[];
  } | null;
  readonly webSocket: { readonly url: string } | null;
}

/** `undefined`: it is none. */
export function decodeTicket(answer: unknown): MotionTicket | undefined {
  if (!isPlain(answer)) return undefined;
  const idTag = textOr(answer.id_tag, "");
  if (idTag === "") return undefined;
  const { webtransport, websocket } = answer;
  const url = urlOf(webtransport, "https:");
  const hashes = isPlain(webtransport) ? hashesOf(webtransport) : undefined;
  const socketUrl = urlOf(websocket, "wss:") ?? urlOf(websocket, "ws:");
  return {
    idTag,
    webTransport: url === undefined || hashes === undefined ? null : { url, certificateHashes: hashes },
    webSocket: socketUrl === undefined ? null : { url: socketUrl },
  };
}

function urlOf(offer: unknown, protocol: string): string | undefined {
  const url = isPlain(offer) ? textOr(offer.url, "") : "";
  return URL.canParse(url) && new URL(url).protocol === protocol ? url : undefined;
}

function hashesOf({ certificate_hashes }: Plain): readonly Uint8Array<ArrayBuffer>[] | undefined {
  if (!Array.isArray(certificate_hashes)) return undefined;
  try {
    return certificate_hashes.map((hash) => Uint8Array.from(atob(String(hash)), (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
