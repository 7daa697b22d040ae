// The real binary, with its own data folder and the ports that unmodified arena-py needs.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child } from "./children.ts";
import { eventually } from "./eventually.ts";

const binary = process.env.STOA_BIN;
if (binary === undefined) throw new Error("STOA_BIN is not set: run this by `make test`");

export const HTTP = "http://localhost:8080";
/** Fixed ports: each story runs in its own network namespace. */
const PORTS = [
  "--https",
  "127.0.0.1:443",
  "--http",
  "127.0.0.1:8080",
  "--mqtt",
  "127.0.0.1:1883",
  "--mqtts",
  "127.0.0.1:8883",
  "--admin",
  "127.0.0.1:8445",
];

export class TestRealm {
  readonly folder: string;
  readonly #options: readonly string[];
  #server: Child;

  private constructor(folder: string, options: readonly string[]) {
    this.folder = folder;
    this.#options = options;
    this.#server = this.#serve();
  }

  /** `options` are added to `stoa serve`. */
  static async start(options: readonly string[] = []): Promise<TestRealm> {
    const folder = await mkdtemp(join(tmpdir(), "stoa-e2e-"));
    const realm = new TestRealm(folder, options);
    await realm.ready();
    return realm;
  }

  /** Resolves once ports.json belongs to this server process. */
  async ready(): Promise<void> {
    await eventually("the realm is ready", async () => {
      if (this.#server.ended) throw new Error(`the realm ended:\n${this.#server.output}`);
      const ports: unknown = JSON.parse(await readFile(join(this.folder, "run/ports.json"), "utf8"));
      return typeof ports === "object" && ports !== null && "pid" in ports && ports.pid === this.#server.pid;
    });
  }

  /** Simulates a power loss: kills the server and restarts it on the same folder and ports. */
  async killAndRestart(): Promise<void> {
    await this.#server.end("SIGKILL");
    this.#server = this.#serve();
    await this.ready();
  }

  /** Shuts the realm down cleanly. */
  async stop(): Promise<void> {
    await this.#server.end();
  }

  /** Starts it again on the same folder and ports. */
  async resume(): Promise<void> {
    this.#server = this.#serve();
    await this.ready();
  }

  /** The one-time secret of the owner link. */
  async ownerLink(): Promise<string> {
    return (await readFile(join(this.folder, "run/owner-link"), "utf8")).trim();
  }

  /** A token as `stoa token` prints it beside the running server; warnings may precede and follow it. */
  async token(user: string, scene: string): Promise<string> {
    const command = new Child([String(binary), "token", "--data", this.folder, "--user", user, "--scene", scene]);
    await command.prints(/^ey\S+$/m);
    return command.output.match(/^ey\S+$/m)?.[0] ?? "";
  }

  async end(): Promise<void> {
    await this.#server.end();
    await rm(this.folder, { recursive: true, force: true });
  }

  #serve(): Child {
    // An explicit option replaces the default above.
    const ports = PORTS.filter((_, at) => !this.#options.includes(PORTS[at - (at % 2)] ?? ""));
    return new Child([String(binary), "serve", "--data", this.folder, "--no-open", ...ports, ...this.#options]);
  }
}
