/** Finds the realm's address for other devices on the network. */
import type { Api } from "@stoa/client";

/** Whether a host is a loopback address, so that only the realm's own machine can open the page. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * The realm's origin for other devices; `null` if it is unknown or no other device can reach the realm. Other devices
 * can't use a loopback address, so the realm is asked for its address on the network.
 */
export async function networkOrigin(
  api: Api | undefined,
  at: Pick<Location, "hostname" | "origin">,
): Promise<string | null> {
  if (!isLoopback(at.hostname)) return at.origin;
  try {
    const network = (await api?.me())?.network ?? null;
    // `URL.origin` omits the default port.
    return network === null ? null : new URL(network).origin;
  } catch {
    // The realm is offline; a later call asks again.
    return null;
  }
}
