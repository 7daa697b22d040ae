/** The entry point of the library: builds a {@link Session} from options and waits until the scene is complete. */
import { Api, type Fetch } from "./api.ts";
import { type Clock, evenClock, systemClock } from "./clock.ts";
import type { Connect } from "./connection.ts";
import { ClosedError, RefusedError } from "./errors.ts";
import { inWorker, type OpenMotionPlane, onThisThread } from "./motion/open-plane.ts";
import { platformTransports } from "./motion/platform-transports.ts";
import type { MotionTransports } from "./motion/transport.ts";
import { Session } from "./session.ts";
import { isSceneName } from "./topic.ts";
import type { Appearance, Doing, Pose, SceneSession, Status } from "./types.ts";

/** Options of {@link enterScene}. */
export interface EnterOptions {
  /** The realm's address, such as `https://host:8443`. */
  readonly baseUrl: string;
  /** `<namespace>/<scene>` */
  readonly scene: string;
  readonly displayName?: string;
  /** Default: a colour derived from the idTag. */
  readonly color?: string;
  /** URL or path of a glTF head or a VRM for this person; empty for the built-in body. */
  readonly headModelPath?: string;
  /** This person's activity at the start; default: idle. */
  readonly doing?: Doing;
  /** Pose of the head until the first `publishCamera`. */
  readonly start?: Pose;
  /** Enters invisibly. */
  readonly observe?: boolean;
  /** Called on each status, also before the promise resolves. */
  readonly onStatus?: (status: Status) => void;
  /** Cancels entering, or leaves the scene. */
  readonly signal?: AbortSignal;
  readonly fetch?: Fetch;
  readonly connect?: Connect;
  /**
   * Transports of the motion plane, on this thread. Default: WebTransport and WebSocket, if the browser has them, in a
   * worker.
   */
  readonly ways?: MotionTransports;
  readonly clock?: Clock;
  readonly random?: () => number;
}

const START: Pose = { position: [0, 1.6, 0], rotation: [0, 0, 0, 1] };

/** Loads MQTT.js, most of this library's size, only on entering. */
const connectLazily: Connect = async (request) => {
  const { connectByMqtt } = await import("./mqtt-connection.ts");
  return await connectByMqtt(request);
};

/**
 * Enters a scene and resolves once the scene is complete. Retries while the realm can't be reached. Rejects with a
 * `RefusedError` if the realm refuses, or a `ClosedError` if `signal` aborts.
 */
export function enterScene(options: EnterOptions): Promise<SceneSession> {
  const { scene, displayName, signal } = options;
  if (signal?.aborted === true) return Promise.reject(new ClosedError());
  if (!isSceneName(scene)) return Promise.reject(new RefusedError(`"${scene}" is not a scene's name`));
  const session = new Session({
    api: new Api(options.baseUrl, options.fetch),
    connect: options.connect ?? connectLazily,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    scene,
    displayName,
    looks: options.observe === true ? undefined : appearanceOf(options),
    start: options.start ?? START,
    openMotionPlane: openMotionPlaneOf(options),
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

function openMotionPlaneOf({ ways, clock }: EnterOptions): OpenMotionPlane {
  if (ways === undefined && clock === undefined && "Worker" in globalThis) return inWorker(evenClock);
  return onThisThread(ways ?? platformTransports(), clock ?? evenClock);
}

function appearanceOf({ color, headModelPath = "", doing }: EnterOptions): Appearance {
  return { headModelPath, ...(color === undefined ? {} : { color }), ...(doing === undefined ? {} : { doing }) };
}
