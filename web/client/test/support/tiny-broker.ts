import mqtt, { type IConnectPacket, type IPublishPacket, type Packet } from "mqtt-packet";
import { type WebSocket, WebSocketServer } from "ws";

/** The broker's answers. */
export interface Answers {
  /** Reason code of CONNACK. */
  readonly connect?: number;
  /** Reason code of SUBACK. */
  readonly subscribe?: number;
  /** Reason of the PUBACK of a topic that contains the key. */
  readonly refused?: Readonly<Record<string, string>>;
}

const NOT_AUTHORIZED = 0x87;
const V5 = { protocolVersion: 5 } as const;

/** The part of MQTT 5 over WebSocket that the connection needs, on a free port. */
export class TinyBroker {
  readonly connects: IConnectPacket[] = [];
  readonly publishes: IPublishPacket[] = [];
  readonly #server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "mqtt" });
  readonly #sockets = new Set<WebSocket>();
  #answers: Answers;

  constructor(answers: Answers = {}) {
    this.#answers = answers;
    this.#server.on("connection", (socket) => this.#serve(socket));
  }

  /** Waits until the broker listens and returns its URL. */
  async url(): Promise<string> {
    if (this.#server.address() === null) await new Promise((resolve) => this.#server.once("listening", resolve));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("it does not listen");
    return `ws://127.0.0.1:${address.port}/mqtt/`;
  }

  /** Sends a message to every client. */
  publish(topic: string, payload: string, userProperties: Record<string, string>): void {
    this.#send({ cmd: "publish", topic, payload, qos: 0, retain: false, dup: false, properties: { userProperties } });
  }

  /** Ends every connection with a reason. */
  disconnect(reasonCode: number, reasonString: string): void {
    this.#send({ cmd: "disconnect", reasonCode, properties: { reasonString } });
    for (const socket of this.#sockets) socket.close();
  }

  /** Breaks every connection without a DISCONNECT. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #send(packet: Packet): void {
    for (const socket of this.#sockets) socket.send(mqtt.generate(packet, V5));
  }

  #serve(socket: WebSocket): void {
    const parser = mqtt.parser(V5);
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("message", (bytes) => parser.parse(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0)));
    parser.on("packet", (packet) => {
      const answer = this.#answer(packet);
      if (answer !== undefined) socket.send(mqtt.generate(answer, V5));
    });
  }

  #answer(packet: Packet): Packet | undefined {
    switch (packet.cmd) {
      case "connect":
        this.connects.push(packet);
        return { cmd: "connack", reasonCode: this.#answers.connect ?? 0, sessionPresent: false };
      case "subscribe":
        return {
          cmd: "suback",
          messageId: packet.messageId ?? 0,
          granted: packet.subscriptions.map(() => this.#answers.subscribe ?? 0),
        };
      case "publish":
        this.publishes.push(packet);
        return packet.qos === 0 ? undefined : this.#acknowledgement(packet);
      case "pingreq":
        return { cmd: "pingresp" };
      default:
        return undefined;
    }
  }

  #acknowledgement(packet: IPublishPacket): Packet {
    const refused = Object.entries(this.#answers.refused ?? {}).find(([part]) => packet.topic.includes(part));
    const messageId = packet.messageId ?? 0;
    if (refused === undefined) return { cmd: "puback", messageId, reasonCode: 0 };
    return { cmd: "puback", messageId, reasonCode: NOT_AUTHORIZED, properties: { reasonString: refused[1] } };
  }
}
