/** Repeats `holds` until it returns true. Rejects with its last error when the time is up. */
export async function eventually(what: string, holds: () => Promise<boolean>, withinMs = 30_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      if (await holds()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`not within ${withinMs} ms: ${what}`, { cause: last });
}
