/** Starts and commands a relay of datagrams, `relay-main.mjs`. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";

/** A running relay. */
export class DatagramRelay {
  #process;
  #waiting = new Map();
  #count = 0;

  /** Starts a relay on a core. */
  constructor(core) {
    const script = resolve(import.meta.dirname, "relay-main.mjs");
    const stdio = ["ignore", "inherit", "inherit", "ipc"];
    this.#process = spawn("taskset", ["--cpu-list", String(core), process.execPath, script], { stdio });
    this.#process.on("message", ({ id, answer }) => {
      this.#waiting.get(id)?.resolve(answer);
      this.#waiting.delete(id);
    });
    const fail = (error) => {
      for (const { reject } of this.#waiting.values()) reject(error);
    };
    this.#process.on("error", fail);
    this.#process.on("exit", (code) => fail(new Error(`the relay ended with ${code}`)));
  }

  /** Opens a leg between two peers, `{ host, port }`. An end without a peer takes that of its last datagram. */
  async open({ near, far } = {}) {
    const { leg, ports } = await this.#ask("open", { near, far });
    return {
      ports,
      impair: (end, seed) => this.#ask("impair", { leg, end, seed }),
      counts: () => this.#ask("counts", { leg }),
    };
  }

  close() {
    this.#process.disconnect();
  }

  #ask(kind, given) {
    const id = this.#count;
    this.#count += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.send({ id, kind, ...given });
    });
  }
}
