/** Addresses of the realm, for others on the network. */
import type { Api } from "@stoa/client";

/** Whether a page at this host is seen on its own machine alone. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Where others reach the realm; `null` where nobody else does. On the realm's own machine its page's address would lead them to themselves. */
export async function networkOrigin(
  api: Api | undefined,
  at: Pick<Location, "hostname" | "origin">,
): Promise<string | null> {
  if (!isLoopback(at.hostname)) return at.origin;
  try {
    const network = (await api?.me())?.network ?? null;
    // An address as browsers write it: nobody types the port that goes without saying.
    return network === null ? null : new URL(network).origin;
  } catch {
    // The realm is away: whoever asks again gets it then.
    return null;
  }
}
