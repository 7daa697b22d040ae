import type { Connect, Connection, ConnectRequest, Outgoing } from "../../src/connection.ts";
import type { EnterOptions } from "../../src/enter-scene.ts";
import { LostError, RefusedError } from "../../src/errors.ts";
import { isJsonObject, type JsonObject, textOr } from "../../src/json-values.ts";
import type { StreamPosition } from "../../src/replica.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** A connection to the scripted realm. */
export class Line {
  readonly request: ConnectRequest;
  readonly sent: Outgoing[] = [];
  readonly filters: string[] = [];
  readonly refusals = new Map<string, string>();
  isOpen = true;
  /** While true, acknowledgements are held back. */
  mute = false;
  /** While true, all packets are lost, without an error. */
  silent = false;
  /** Number of PINGREQs. */
  asked = 0;

  constructor(request: ConnectRequest) {
    this.request = request;
  }

  /** Decoded payloads of the messages published on topics that contain `part`. */
  said(part: string): readonly JsonObject[] {
    return this.sent.filter(({ topic }) => topic.includes(part)).map(({ payload }) => jsonOf(payload));
  }

  deliver(topic: string, payload: unknown, place?: StreamPosition): void {
    const bytes = new TextEncoder().encode(typeof payload === "string" ? payload : JSON.stringify(payload));
    this.request.onHeard();
    this.request.onMessage({ topic, payload: bytes, ...(place === undefined ? {} : { place }) });
  }

  /** Breaks the connection. */
  cut(reason = "the connection was cut"): void {
    this.isOpen = false;
    this.request.onEnded({ reason, final: false });
  }
}

function jsonOf(text: string): JsonObject {
  const json: unknown = JSON.parse(text);
  return isJsonObject(json) ? json : {};
}

/** A scripted realm: the test sets its tokens, snapshots and connections. */
export class ScriptedRealm {
  readonly clock: VirtualClock;
  readonly lines: Line[] = [];
  readonly tokens: string[] = [];
  readonly tokenRequests: { readonly body: JsonObject; readonly bearer: string | undefined }[] = [];
  snapshots = 0;
  tokenLifeS = 3_600;
  /** Number of token requests that get no answer before {@link releaseToken}. */
  heldTokens = 0;
  /** Answers a held token request, or lets it fail. */
  releaseToken: (fails: boolean) => void = () => undefined;
  /** Token to issue instead of `token-<number>`. */
  token: string | undefined;
  /** Responses that precede the regular ones, such as a refusal. */
  readonly problems: { readonly path: string; readonly status: number; readonly title: string }[] = [];
  snapshot: unknown = { epoch: 1, revision: 0, messages: [] };
  /** Awaited before the response with a snapshot. */
  beforeSnapshot: () => Promise<void> = () => Promise.resolve();
  unreachable = false;
  /** Answers requests for motion tickets; `undefined` without a motion plane. */
  motion: ((idTag: string) => unknown) | undefined;
  /** Number of requests for motion tickets that get no answer, until they are aborted. */
  unansweredTickets = 0;
  readonly ticketRequests: { readonly body: JsonObject; readonly bearer: string | undefined }[] = [];

  constructor(clock: VirtualClock) {
    this.clock = clock;
  }

  /** Options to enter `scene` of this realm. */
  options(scene: string, more: Partial<EnterOptions> = {}): EnterOptions {
    const { clock } = this;
    return {
      baseUrl: "http://realm.test:8080",
      scene,
      displayName: "Ada",
      fetch: (url, init) => this.#fetch(url, init),
      connect: this.connect,
      clock,
      random: () => 0.5,
      ways: {},
      ...more,
    };
  }

  get line(): Line {
    const line = this.lines.at(-1);
    if (line === undefined) throw new Error("no line was opened");
    return line;
  }

  readonly connect: Connect = (request) => {
    if (this.unreachable) return Promise.reject(new LostError("the realm is away"));
    const line = new Line(request);
    this.lines.push(line);
    const connection: Connection = {
      publish: (message) => {
        if (!line.isOpen) return Promise.reject(new LostError("closed"));
        line.sent.push(message);
        const refusal = [...line.refusals].find(([part]) => message.topic.includes(part));
        if (refusal !== undefined && message.acknowledged) return Promise.reject(new RefusedError(refusal[1]));
        return line.mute && message.acknowledged ? new Promise(() => undefined) : Promise.resolve();
      },
      subscribe: (filters) => {
        line.filters.push(...filters);
        return Promise.resolve();
      },
      ask: () => {
        line.asked += 1;
        if (!line.silent) request.onHeard();
      },
      close: () => {
        line.isOpen = false;
        return Promise.resolve();
      },
    };
    return Promise.resolve(connection);
  };

  async #fetch(url: string, init?: RequestInit): Promise<Response> {
    if (this.unreachable) throw new TypeError("fetch failed");
    const path = new URL(url).pathname;
    const problem = this.problems.findIndex((candidate) => path.endsWith(candidate.path));
    const [answer] = problem < 0 ? [] : this.problems.splice(problem, 1);
    if (answer !== undefined)
      return Response.json({ title: answer.title, status: answer.status }, { status: answer.status });
    if (path.endsWith("/motion-ticket")) return this.#motionTicket(init);
    if (path.endsWith("/token")) {
      this.heldTokens -= 1;
      if (this.heldTokens < 0) return Response.json(this.#token(init));
      return await new Promise((resolve, reject) => {
        this.releaseToken = (fails) =>
          fails ? reject(new TypeError("fetch failed")) : resolve(Response.json(this.#token(init)));
      });
    }
    this.snapshots += 1;
    await this.beforeSnapshot();
    return Response.json(this.snapshot);
  }

  #motionTicket(init: RequestInit | undefined): Response | Promise<Response> {
    const bearer = new Headers(init?.headers).get("authorization") ?? undefined;
    this.ticketRequests.push({ body: jsonOf(textOr(init?.body, "{}")), bearer });
    this.unansweredTickets -= 1;
    if (this.unansweredTickets >= 0)
      return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
    if (this.motion === undefined) return Response.json({ title: "no such page", status: 404 }, { status: 404 });
    return Response.json(this.motion(`ada_${this.tokens.length}`));
  }

  #token(init: RequestInit | undefined): unknown {
    const number = this.tokens.length + 1;
    const token = this.token ?? `token-${number}`;
    this.tokens.push(token);
    const bearer = new Headers(init?.headers).get("authorization") ?? undefined;
    this.tokenRequests.push({ body: jsonOf(textOr(init?.body, "{}")), bearer });
    const userid = `ada_${number}`;
    return {
      token,
      username: "anonymous-1",
      role: "editor",
      guest: true,
      expires_at: Math.floor(this.clock.now() / 1_000) + this.tokenLifeS,
      ids: {
        userid,
        userclient: `${userid}_web`,
        handleftid: `handLeft_${userid}`,
        handrightid: `handRight_${userid}`,
      },
      mqtt_path: "/mqtt/",
    };
  }
}

/** A `create` of a box. */
export function box(objectId: string, attributes: JsonObject = {}): JsonObject {
  return { object_id: objectId, action: "create", type: "object", data: { object_type: "box", ...attributes } };
}

/** A person's camera. */
export function camera(idTag: string, x: number, action: "create" | "update" = "update"): JsonObject {
  const data = { object_type: "camera", position: { x, y: 1.6, z: 0 }, rotation: { x: 0, y: 0, z: 0, w: 1 } };
  return { object_id: idTag, action, type: "object", data };
}
