/** Reads the account's storage quota (`GET /api/v1/store-room`) and checks whether a file fits. */
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

/** The quota; `guest` for a guest, who can't store files; `unknown` if the realm doesn't report it. */
export type QuotaLookupResult = StorageQuota | "guest" | "unknown";

export async function requestQuota(fetch = (url: string) => globalThis.fetch(url)): Promise<QuotaLookupResult> {
  try {
    const response = await fetch("/api/v1/store-room");
    if (response.status === 401) return "guest";
    if (!response.ok) return "unknown";
    return quotaOf(await response.json());
  } catch {
    return "unknown";
  }
}

function quotaOf(answer: unknown): QuotaLookupResult {
  if (typeof answer !== "object" || answer === null) return "unknown";
  const fields = new Map<string, unknown>(Object.entries(answer));
  const number = (key: string): number => {
    const value = fields.get(key);
    return typeof value === "number" ? value : Number.NaN;
  };
  const quota: StorageQuota = {
    usedBytes: number("used_bytes"),
    bytesMax: number("bytes_max"),
    files: number("files"),
    filesMax: number("files_max"),
    fileBytesMax: number("file_bytes_max"),
  };
  return Object.values(quota).every(Number.isFinite) ? quota : "unknown";
}

/** The reason why a file of this size is refused, empty ones included; `null` if it fits or the quota is unknown. */
export function refusalOf(name: string, bytes: number, quota: QuotaLookupResult): string | null {
  const words = texts.edit.files;
  if (bytes === 0) return words.empty(name);
  if (quota === "guest") return words.guest;
  if (quota === "unknown") return null;
  if (bytes > quota.fileBytesMax) return words.tooLarge(name, bytesInWords(bytes), bytesInWords(quota.fileBytesMax));
  const left = quota.bytesMax - quota.usedBytes;
  if (bytes > left) return words.noRoom(name, bytesInWords(bytes), bytesInWords(Math.max(0, left)));
  if (quota.files >= quota.filesMax) return words.tooMany(quota.filesMax);
  return null;
}
