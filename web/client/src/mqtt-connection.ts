/** Connects to the realm by MQTT.js, which must not reconnect by itself: the session does, with a new token. */
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import type { Connect, Connection, ConnectRequest, Ended, Outgoing } from "./connection.ts";
import { LostError, RefusedError, wordsOf } from "./errors.ts";
import { isJsonObject, type JsonObject } from "./json-values.ts";
import { CONNECT_MS } from "./limits.ts";
import type { StreamPosition } from "./replica.ts";

/** Codes of a DISCONNECT that rule out a retry: session taken over, administrative action. */
const FINAL_CODES: readonly number[] = [0x8e, 0x98];
/** Code of a server that shuts down, usually to restart. */
const SHUTTING_DOWN = 0x8b;
/** Codes of a CONNACK that allow a retry: unavailable, busy, shutting down, quota or connection rate exceeded. */
const TRANSIENT_CODES: readonly number[] = [0x88, 0x89, SHUTTING_DOWN, 0x97, 0x9f];
const SUBSCRIPTION_REFUSED = 0x80;

/** Opens a connection by MQTT.js. */
export const connectByMqtt: Connect = (request) =>
  new Promise((resolve, reject) => {
    const client = mqtt.connect(request.url, optionsOf(request));
    let refusal: Error | undefined;
    let opened = false;
    let ended: Ended = { reason: "the connection was lost", final: false };
    client.on("message", (topic, payload, packet) => {
      const place = positionOf(packet.properties?.userProperties);
      request.onMessage({ topic, payload, ...(place === undefined ? {} : { place }) });
    });
    client.on("packetreceive", () => request.onHeard());
    client.on("connect", () => {
      opened = true;
      resolve(new MqttConnection(client));
    });
    client.on("disconnect", (packet) => {
      const code = packet.reasonCode ?? 0;
      ended = {
        reason: packet.properties?.reasonString ?? reasonOfCode(code),
        final: FINAL_CODES.includes(code),
        ...(code === SHUTTING_DOWN ? { hindrance: { code: "restarting" } } : {}),
      };
    });
    client.on("error", (error) => {
      const code = codeOf(error);
      refusal = code === undefined || TRANSIENT_CODES.includes(code) ? undefined : new RefusedError(error.message);
      ended = { ...ended, reason: error.message };
    });
    client.on("close", () => {
      if (opened) request.onEnded(ended);
      else reject(refusal ?? new LostError(ended.reason));
      opened = false;
      client.end(true);
    });
  });

function optionsOf(request: ConnectRequest): IClientOptions {
  const options: IClientOptions = {
    protocolVersion: 5,
    clientId: request.clientId,
    username: request.username,
    password: request.token,
    clean: true,
    keepalive: request.keepAliveS,
    connectTimeout: CONNECT_MS,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    // MQTT.js's timer worker would need `worker-src blob:` in the realm's Content-Security-Policy.
    timerVariant: "native",
    // MQTT.js rebuilds the URL without the brackets of an IPv6 address.
    transformWsUrl: () => request.url,
  };
  if (request.will === undefined) return options;
  return { ...options, will: { ...request.will, qos: 1, retain: false } };
}

class MqttConnection implements Connection {
  readonly #client: MqttClient;
  readonly #lost: Promise<never>;

  constructor(client: MqttClient) {
    this.#client = client;
    this.#lost = new Promise((_, reject) => {
      client.once("close", () => reject(new LostError("the connection was closed")));
    });
    this.#lost.catch(() => undefined);
  }

  publish(message: Outgoing): Promise<void> {
    // MQTT.js throws on a publish after the connection's end.
    if (!this.#client.connected) return this.#lost;
    const acknowledged = new Promise<void>((resolve, reject) => {
      this.#client.publish(message.topic, message.payload, { qos: message.acknowledged ? 1 : 0 }, (error, packet) => {
        if (!error) resolve();
        else if (codeOf(error) === undefined) reject(new LostError(error.message));
        else reject(new RefusedError(reasonOf(packet) ?? error.message));
      });
    });
    return Promise.race([acknowledged, this.#lost]);
  }

  async subscribe(filters: readonly string[]): Promise<void> {
    const granted = new Promise<void>((resolve, reject) => {
      this.#client.subscribe([...filters], { qos: 0 }, (error, grants) => {
        // MQTT.js gives no code here. On an open connection the error is the realm's.
        if (error) reject(this.#client.connected ? new RefusedError(wordsOf(error)) : new LostError(wordsOf(error)));
        else if ((grants ?? []).some((grant) => grant.qos >= SUBSCRIPTION_REFUSED))
          reject(new RefusedError("not_granted"));
        else resolve();
      });
    });
    return await Promise.race([granted, this.#lost]);
  }

  ask(): void {
    if (this.#client.connected) this.#client.sendPing();
  }

  async close(): Promise<void> {
    await this.#client.endAsync();
  }
}

/** The realm's reason code in an error of MQTT.js, if any. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "number" ? error.code : undefined;
}

function reasonOf(packet: unknown): string | undefined {
  const properties = isJsonObject(packet) ? packet.properties : undefined;
  const reason = isJsonObject(properties) ? properties.reasonString : undefined;
  return typeof reason === "string" && reason !== "" ? reason : undefined;
}

function reasonOfCode(code: number): string {
  return code === 0 ? "the server closed the connection" : `the server closed the connection (0x${code.toString(16)})`;
}

function positionOf(properties: JsonObject | undefined): StreamPosition | undefined {
  const epoch = properties?.["stoa-epoch"];
  const revision = properties?.["stoa-revision"];
  if (typeof epoch !== "string" || typeof revision !== "string") return undefined;
  return { epoch: Number(epoch), revision: Number(revision) };
}
