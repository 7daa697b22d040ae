/** Which poses are due: each thing at most every 100 ms, the newest only, and the camera once a second in any case; that alone where others carry them. */
import { CARRIED_HEARTBEAT_MS, HEARTBEAT_MS, POSE_PERIOD_MS } from "./limits.ts";
import { sameJson } from "./plain.ts";
import type { Pose, Side } from "./types.ts";

/** What moves. */
export type PosePart = "camera" | Side;

/** A pose to be sent now; `first` where the others don't know of it yet, `null` where it is gone. */
export interface DuePose {
  readonly part: PosePart;
  readonly pose: Pose | null;
  readonly first: boolean;
}

interface Track {
  latest: Pose | null;
  sent: Pose | null;
  /** Whether the others know of it. */
  known: boolean;
  sentAt: number;
}

/** The machine: poses in, due poses out. */
export class PoseOutbox {
  readonly #tracks = new Map<PosePart, Track>();
  /** Whether the motion plane carries them, so that only the heartbeat is left. */
  isCarried = false;
  #hasNewLooks = false;

  /** The newest pose of something; `null` when it is gone. */
  handlePose(part: PosePart, pose: Pose | null): void {
    const track = this.#tracks.get(part);
    if (track !== undefined) track.latest = pose;
    else if (pose !== null)
      this.#tracks.set(part, { latest: pose, sent: null, known: false, sentAt: Number.NEGATIVE_INFINITY });
  }

  /** How this person looks has changed: the camera's message says it, whoever carries the pose. */
  handleLooks(): void {
    this.#hasNewLooks = true;
  }

  /** The camera was announced otherwise; the hands have to be announced again. */
  handleAnnounced(now: number): void {
    for (const [part, track] of this.#tracks) {
      track.known = part === "camera";
      track.sent = part === "camera" ? track.latest : null;
      track.sentAt = part === "camera" ? now : Number.NEGATIVE_INFINITY;
    }
  }

  /** The newest pose of the camera. */
  get camera(): Pose | undefined {
    return this.#tracks.get("camera")?.latest ?? undefined;
  }

  /** What is there, and where. */
  get present(): readonly (readonly [PosePart, Pose])[] {
    return [...this.#tracks].flatMap(([part, { latest }]) => (latest === null ? [] : [[part, latest] as const]));
  }

  /** What has to be sent at `now`; asking counts as sending. */
  takeDue(now: number): readonly DuePose[] {
    const due: DuePose[] = [];
    for (const [part, track] of this.#tracks) {
      if (track.latest === null) {
        this.#tracks.delete(part);
        if (track.known) due.push({ part, pose: null, first: false });
      } else if (this.#isDue(track, now, part === "camera" || track.known) || this.#looksDue(part, track, now)) {
        due.push({ part, pose: track.latest, first: !track.known });
        track.sent = track.latest;
        track.sentAt = now;
        track.known = true;
        if (part === "camera") this.#hasNewLooks = false;
      }
    }
    return due;
  }

  #looksDue(part: PosePart, track: Track, now: number): boolean {
    return part === "camera" && this.#hasNewLooks && now - track.sentAt >= POSE_PERIOD_MS;
  }

  #isDue(track: Track, now: number, beats: boolean): boolean {
    const since = now - track.sentAt;
    if (this.isCarried) return since >= CARRIED_HEARTBEAT_MS;
    if (since < POSE_PERIOD_MS) return false;
    return (beats && since >= HEARTBEAT_MS) || !sameJson(track.sent, track.latest);
  }
}
