/**
 * One connection of a `Session` to a scene: connects by MQTT with an admission's token, subscribes, formats the
 * announcement, and leaves. The session requests the token and opens the next connection.
 */
import type { Admission, Api } from "./api.ts";
import type { Connect, Connection, Ended, Outgoing } from "./connection.ts";
import { KEEP_ALIVE_S } from "./limits.ts";
import { cameraPayload, joinPayload, leavePayload } from "./payloads.ts";
import type { Delivery } from "./replica.ts";
import { sceneFilters, sceneTopic, type TopicKind } from "./topic.ts";
import type { Appearance, Me, Pose } from "./types.ts";

/** Dependencies and options of a scene's connection. */
export interface SceneConnectionOptions {
  readonly api: Api;
  readonly connect: Connect;
  /** `<namespace>/<scene>` */
  readonly scene: string;
  /** `undefined` for an invisible observer. */
  readonly looks: Appearance | undefined;
}

/** An open connection under one identity. */
export class AdmittedConnection {
  readonly admission: Admission;
  readonly me: Me;
  readonly mqtt: Connection;
  readonly #scene: string;
  readonly #looks: Appearance | undefined;

  private constructor(opened: { admission: Admission; me: Me; mqtt: Connection }, options: SceneConnectionOptions) {
    this.admission = opened.admission;
    this.me = opened.me;
    this.mqtt = opened.mqtt;
    this.#scene = options.scene;
    this.#looks = options.looks;
  }

  /** Opens the connection and subscribes, so that later changes are received. */
  static async open(
    options: SceneConnectionOptions,
    admission: Admission,
    listener: SceneConnectionListener,
  ): Promise<AdmittedConnection> {
    const { scene, looks } = options;
    const { idTag, userClient, username } = admission;
    const will = { topic: sceneTopic({ scene, kind: "x", userClient, uuid: idTag }), payload: leavePayload(idTag) };
    const mqtt = await options.connect({
      url: options.api.mqttUrl(admission.mqttPath),
      clientId: `webClient-${idTag}`,
      username,
      token: admission.token,
      keepAliveS: KEEP_ALIVE_S,
      ...(looks === undefined ? {} : { will }),
      onMessage: listener.onMessage,
      onHeard: listener.onHeard,
      onEnded: listener.onEnded,
    });
    try {
      await mqtt.subscribe(sceneFilters(scene, idTag));
    } catch (error) {
      await mqtt.close();
      throw error;
    }
    return new AdmittedConnection({ admission, me: listener.meOf(admission), mqtt }, options);
  }

  /** The topic of a message of this client. */
  topic(kind: TopicKind, uuid: string): string {
    return sceneTopic({ scene: this.#scene, kind, userClient: this.me.userClient, uuid });
  }

  /** Messages that announce this person. The camera is first: arena-py reads the name from the first message. */
  announce(pose: Pose): readonly Outgoing[] {
    if (this.#looks === undefined) return [];
    const camera = cameraPayload("create", this.me, pose, this.#looks);
    return [
      { topic: this.topic("u", this.me.idTag), payload: camera, acknowledged: true },
      { topic: this.topic("x", this.me.idTag), payload: joinPayload(this.me), acknowledged: true },
    ];
  }

  /** Publishes the leave and closes the connection. */
  async close(): Promise<void> {
    if (this.#looks !== undefined) {
      const leave = {
        topic: this.topic("x", this.me.idTag),
        payload: leavePayload(this.me.idTag),
        acknowledged: false,
      };
      await this.mqtt.publish(leave).catch(() => undefined);
    }
    await this.mqtt.close().catch(() => undefined);
  }
}

/** Callbacks of a connection. */
export interface SceneConnectionListener {
  readonly onMessage: (delivery: Delivery) => void;
  readonly onHeard: () => void;
  readonly onEnded: (ended: Ended) => void;
  readonly meOf: (admission: Admission) => Me;
}
