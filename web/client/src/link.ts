/** One stay in the scene: token, line, subscription, announcement, snapshot. When it ends, the session opens another. */
import type { Admission, Api } from "./api.ts";
import { KEEP_ALIVE_S } from "./limits.ts";
import { cameraPayload, joinPayload, type Looks, leavePayload } from "./payloads.ts";
import type { Received } from "./replica.ts";
import { type Kind, sceneFilters, sceneTopic } from "./topic.ts";
import type { Connect, Ended, Outgoing, Transport } from "./transport.ts";
import type { Me, Pose } from "./types.ts";

/** What a link is made of. */
export interface LinkParts {
  readonly api: Api;
  readonly connect: Connect;
  /** `<namespace>/<scene>` */
  readonly scene: string;
  /** `undefined` for an observer, whom nobody sees. */
  readonly looks: Looks | undefined;
}

/** An open line, under one identity. */
export class Link {
  readonly admission: Admission;
  readonly me: Me;
  readonly transport: Transport;
  readonly #scene: string;
  readonly #looks: Looks | undefined;

  private constructor(opened: { admission: Admission; me: Me; transport: Transport }, parts: LinkParts) {
    this.admission = opened.admission;
    this.me = opened.me;
    this.transport = opened.transport;
    this.#scene = parts.scene;
    this.#looks = parts.looks;
  }

  /** Opens the line and subscribes, so that no change after this is missed. */
  static async open(parts: LinkParts, admission: Admission, line: LinkListener): Promise<Link> {
    const { scene, looks } = parts;
    const { idTag, userClient, username } = admission;
    const will = { topic: sceneTopic({ scene, kind: "x", userClient, uuid: idTag }), payload: leavePayload(idTag) };
    const transport = await parts.connect({
      url: parts.api.mqttUrl(admission.mqttPath),
      clientId: `webClient-${idTag}`,
      username,
      token: admission.token,
      keepAliveS: KEEP_ALIVE_S,
      ...(looks === undefined ? {} : { will }),
      onMessage: line.onMessage,
      onEnded: line.onEnded,
    });
    try {
      await transport.subscribe(sceneFilters(scene, idTag));
    } catch (error) {
      await transport.close();
      throw error;
    }
    return new Link({ admission, me: line.meOf(admission), transport }, parts);
  }

  /** The topic of a message of this client's own. */
  topic(kind: Kind, uuid: string): string {
    return sceneTopic({ scene: this.#scene, kind, userClient: this.me.userClient, uuid });
  }

  /** Says that this person is here: the camera before the join, since arena-py takes whatever comes first for the person. */
  announce(pose: Pose): readonly Outgoing[] {
    if (this.#looks === undefined) return [];
    const camera = cameraPayload("create", this.me, pose, this.#looks);
    return [
      { topic: this.topic("u", this.me.idTag), payload: camera, acknowledged: true },
      { topic: this.topic("x", this.me.idTag), payload: joinPayload(this.me), acknowledged: true },
    ];
  }

  /** Says goodbye and closes the line. */
  async close(): Promise<void> {
    if (this.#looks !== undefined) {
      const leave = {
        topic: this.topic("x", this.me.idTag),
        payload: leavePayload(this.me.idTag),
        acknowledged: false,
      };
      await this.transport.publish(leave).catch(() => undefined);
    }
    await this.transport.close().catch(() => undefined);
  }
}

/** Who listens to a link. */
export interface LinkListener {
  readonly onMessage: (received: Received) => void;
  readonly onEnded: (ended: Ended) => void;
  readonly meOf: (admission: Admission) => Me;
}
