// Programs that a test starts. They end with it, and tests can wait for their output.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A running program with the output of both streams so far. */
export class Child {
  output = "";
  readonly #child: ChildProcess;
  readonly #listeners = new Set<() => void>();

  constructor(line: readonly string[], environment: Record<string, string> = {}, folder?: string) {
    const [program = "", ...args] = line;
    const cwd = folder === undefined ? {} : { cwd: folder };
    this.#child = spawn(program, args, {
      ...cwd,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (bytes: Buffer) => {
        this.output += bytes.toString();
        for (const listener of this.#listeners) listener();
      });
    }
    this.#child.on("exit", () => {
      for (const listener of this.#listeners) listener();
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /**
   * Resolves once the output after `from` matches. Rejects with the output if the program ends first or the time is up.
   */
  async prints(pattern: RegExp, options: { from?: number; withinMs?: number } = {}): Promise<void> {
    const { from = 0, withinMs = 30_000 } = options;
    await new Promise<void>((resolve, reject) => {
      const end = (why?: string) => {
        clearTimeout(timer);
        this.#listeners.delete(look);
        if (why === undefined) resolve();
        else reject(new Error(`${why}: waited for ${pattern}; it printed:\n${this.output}`));
      };
      const look = () => {
        if (pattern.test(this.output.slice(from))) end();
        else if (this.ended) end("the program ended");
      };
      const timer = setTimeout(() => end(`${withinMs} ms passed`), withinMs);
      this.#listeners.add(look);
      look();
    });
  }

  /** Ends the program and waits for its exit. */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (this.ended) return;
    const gone = once(this.#child, "exit");
    this.#child.kill(signal);
    await gone;
  }
}
