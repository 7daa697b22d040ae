/** Reads the account's storage quota (`GET /api/v1/store-room`) and tells whether a file fits. */
import { bytesInWords } from "../../texts/byte-sizes.ts";
import { texts } from "../../texts/texts.ts";

export { bytesInWords } from "../../texts/byte-sizes.ts";

export interface StorageQuota {
  readonly usedBytes: number;
  readonly bytesMax: number;
  readonly files: number;
  readonly filesMax: number;
  readonly fileBytesMax: number;
}

/** The quota, or why there is none: guests can't store files. */
export type QuotaLookupResult = StorageQuota | "guest" | "unknown";

export async function askRoom(fetch = (url: string) => globalThis.fetch(url)): Promise<QuotaLookupResult> {
  try {
    const response = await fetch("/api/v1/store-room");
    if (response.status === 401) return "guest";
    if (!response.ok) return "unknown";
    return roomOf(await response.json());
  } catch {
    return "unknown";
  }
}

function roomOf(answer: unknown): QuotaLookupResult {
  if (typeof answer !== "object" || answer === null) return "unknown";
  const fields = new Map<string, unknown>(Object.entries(answer));
  const number = (key: string): number => {
    const value = fields.get(key);
    return typeof value === "number" ? value : Number.NaN;
  };
  const room: StorageQuota = {
    usedBytes: number("used_bytes"),
    bytesMax: number("bytes_max"),
    files: number("files"),
    filesMax: number("files_max"),
    fileBytesMax: number("file_bytes_max"),
  };
  return Object.values(room).every(Number.isFinite) ? room : "unknown";
}

/** The reason why a file of that size is refused; `null` if it fits or the quota is unknown. */
export function refusalOf(name: string, bytes: number, room: QuotaLookupResult): string | null {
  const words = texts.edit.files;
  if (bytes === 0) return words.empty(name);
  if (room === "guest") return words.guest;
  if (room === "unknown") return null;
  if (bytes > room.fileBytesMax) return words.tooLarge(name, bytesInWords(bytes), bytesInWords(room.fileBytesMax));
  const left = room.bytesMax - room.usedBytes;
  if (bytes > left) return words.noRoom(name, bytesInWords(bytes), bytesInWords(Math.max(0, left)));
  if (room.files >= room.filesMax) return words.tooMany(room.filesMax);
  return null;
}
