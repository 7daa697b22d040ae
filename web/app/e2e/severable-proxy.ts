// A proxy between one person's page and the realm that a test can cut. It forwards TCP and UDP to the realm's ports.
import { createSocket, type Socket as Datagrams } from "node:dgram";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A port of the proxy and the realm's port behind it. */
interface PortMapping {
  readonly from: number;
  readonly to: number;
}

const LEGS: readonly PortMapping[] = [
  { from: 9_080, to: 8_080 },
  { from: 9_443, to: 443 },
];
const HERE = "127.0.0.1";
/** The proxy's port for datagrams to the realm's HTTPS address. */
export const DATAGRAMS_BY = "9443";

/** Chromium's flag that routes all other connections of a page through the proxy. */
export const THROUGH_PROXY = `--host-resolver-rules=${LEGS.map(({ from, to }) => `MAP localhost:${to} ${HERE}:${from}`).join(", ")}`;

/**
 * State of the proxy. `whole` forwards; `cut` closes connections and refuses new ones; `silent` passes nothing on,
 * without an error.
 */
type ProxyState = "whole" | "cut" | "silent";

export class SeverableProxy {
  /** Number of datagrams forwarded and of connections opened. */
  datagrams = 0;
  connections = 0;
  /** Whether datagrams are dropped, as by many office firewalls. */
  blocksDatagrams = false;
  #state: ProxyState = "whole";
  readonly #servers: Server[] = [];
  readonly #udp: Datagrams[] = [];
  readonly #pairs = new Set<readonly [Socket, Socket]>();

  static async open(): Promise<SeverableProxy> {
    const line = new SeverableProxy();
    for (const leg of LEGS) {
      await line.#carryStreams(leg);
      await line.#carryDatagrams(leg);
    }
    return line;
  }

  /** Closes all connections at both ends, like an unplugged cable. */
  cut(): void {
    this.#state = "cut";
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** Forwards nothing but keeps connections open, like a tunnel without reception. */
  silence(): void {
    this.#state = "silent";
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  mend(): void {
    this.#state = "whole";
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  async close(): Promise<void> {
    this.cut();
    for (const server of this.#servers) server.close();
    for (const socket of this.#udp) socket.close();
    this.#udp.length = 0;
  }

  async #carryStreams({ from, to }: PortMapping): Promise<void> {
    const server = createServer((near) => {
      if (this.#state !== "whole") {
        near.destroy();
        return;
      }
      this.connections += 1;
      const far = connect(to, HERE);
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      for (const [one, other] of [pair, [far, near] as const]) {
        one.on("data", (bytes) => void other.write(bytes));
        one.on("end", () => other.end());
        one.on("error", () => other.destroy());
        one.on("close", () => {
          other.destroy();
          this.#pairs.delete(pair);
        });
      }
    });
    this.#servers.push(server);
    server.listen(from, HERE);
    await once(server, "listening");
  }

  async #carryDatagrams({ from, to }: PortMapping): Promise<void> {
    const near = createSocket("udp4");
    const senders = new Map<number, Datagrams>();
    near.on("message", (bytes, { port }) => {
      if (this.#state !== "whole" || this.blocksDatagrams) return;
      this.datagrams += 1;
      let far = senders.get(port);
      if (far === undefined) {
        far = createSocket("udp4");
        far.on("message", (answer) => {
          if (this.#state === "whole" && !this.blocksDatagrams) near.send(answer, port, HERE);
        });
        senders.set(port, far);
        this.#udp.push(far);
      }
      far.send(bytes, to, HERE);
    });
    this.#udp.push(near);
    near.bind(from, HERE);
    await once(near, "listening");
  }
}
