import { Api, type Fetch } from "./api.ts";
import { type Clock, evenClock, systemClock } from "./clock.ts";
import type { Connect } from "./connection.ts";
import { ClosedError, RefusedError } from "./errors.ts";
import type { MotionTransports } from "./motion/transport.ts";
import { openWebSocket } from "./motion/websocket.ts";
import { openWebTransport } from "./motion/webtransport.ts";
import { Session } from "./session.ts";
import { isSceneName } from "./topic.ts";
import type { Appearance, Doing, Pose, SceneSession, Status } from "./types.ts";

/** How a scene is entered. */
export interface EnterOptions {
  /** The realm's address, such as `https://host:8443`. */
  readonly baseUrl: string;
  /** `<namespace>/<scene>` */
  readonly scene: string;
  readonly displayName?: string;
  /** Default: one that follows from the idTag. */
  readonly color?: string;
  /** A glTF model that others show as this person's head; a plain one where it is empty. */
  readonly headModelPath?: string;
  /** What this person does from the start; default: nothing. */
  readonly doing?: Doing;
  /** Where the head is until `publishCamera` says more. */
  readonly start?: Pose;
  /** Watch without being seen. */
  readonly observe?: boolean;
  /** Called on each status, also before the promise resolves. */
  readonly onStatus?: (status: Status) => void;
  /** Gives up, or leaves. */
  readonly signal?: AbortSignal;
  readonly fetch?: Fetch;
  readonly connect?: Connect;
  /** How frames of the motion plane may come. Default: WebTransport and WebSocket, where the browser has them. */
  readonly ways?: MotionTransports;
  readonly clock?: Clock;
  readonly random?: () => number;
}

const START: Pose = { position: [0, 1.6, 0], rotation: [0, 0, 0, 1] };

const WAYS: MotionTransports = {
  ...("WebTransport" in globalThis && { webTransport: openWebTransport }),
  ...("WebSocket" in globalThis && { webSocket: openWebSocket }),
};

/** MQTT.js is most of this library's size: it is fetched once somebody enters. */
const connectLazily: Connect = async (request) => {
  const { connectByMqtt } = await import("./mqtt-connection.ts");
  return await connectByMqtt(request);
};

/**
 * Enters a scene. Resolves once it is complete; while the realm can't be reached, it goes on trying. Rejects with a `RefusedError` where
 * the realm says no.
 */
export function enterScene(options: EnterOptions): Promise<SceneSession> {
  const { scene, displayName, signal } = options;
  if (signal?.aborted === true) return Promise.reject(new ClosedError());
  if (!isSceneName(scene)) return Promise.reject(new RefusedError(`"${scene}" is no scene's name`));
  const session = new Session({
    api: new Api(options.baseUrl, options.fetch),
    connect: options.connect ?? connectLazily,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    scene,
    displayName,
    looks: options.observe === true ? undefined : looksOf(options),
    start: options.start ?? START,
    ways: options.ways ?? WAYS,
    motionClock: options.clock ?? evenClock,
  });
  if (options.onStatus !== undefined) session.on("status", options.onStatus);
  const entered = new Promise<SceneSession>((resolve, reject) => {
    session.on("status", (status) => {
      if (status.kind === "live") resolve(session);
      else if (status.kind === "refused")
        reject(new RefusedError(status.reason ?? "no reason was given", status.hindrance));
      else if (status.kind === "closed") reject(new ClosedError());
    });
  });
  signal?.addEventListener("abort", () => void session.close(), { once: true });
  void session.run();
  return entered;
}

function looksOf({ color, headModelPath = "", doing }: EnterOptions): Appearance {
  return { headModelPath, ...(color === undefined ? {} : { color }), ...(doing === undefined ? {} : { doing }) };
}
