/**
 * Decides when to send poses by MQTT: the newest pose of each head or hand, at most every 100 ms and at least once a
 * second. While the motion plane carries the poses, only heartbeats, changed looks and withdrawals are sent.
 */
import { sameJson } from "./json-values.ts";
import { CARRIED_HEARTBEAT_MS, HEARTBEAT_MS, POSE_PERIOD_MS } from "./limits.ts";
import type { Pose, Side } from "./types.ts";

/** A part of a person with its own pose. */
export type PosedBodyPart = "camera" | Side;

/** A pose to send now. `first` marks one not announced yet; a `null` pose withdraws the part. */
export interface DuePose {
  readonly part: PosedBodyPart;
  readonly pose: Pose | null;
  readonly first: boolean;
}

interface OutgoingPoseTrack {
  latest: Pose | null;
  sent: Pose | null;
  /** Whether the part was announced to the scene. */
  isAnnounced: boolean;
  sentAt: number;
}

/** State machine from poses to due poses. */
export class PoseOutbox {
  readonly #tracks = new Map<PosedBodyPart, OutgoingPoseTrack>();
  /** Whether the motion plane carries the poses, so that a moved pose waits for the next heartbeat. */
  isCarried = false;
  #hasNewLooks = false;

  /** Sets the newest pose of a part; `null` withdraws it. */
  handlePose(part: PosedBodyPart, pose: Pose | null): void {
    const track = this.#tracks.get(part);
    if (track !== undefined) track.latest = pose;
    else if (pose !== null)
      this.#tracks.set(part, { latest: pose, sent: null, isAnnounced: false, sentAt: Number.NEGATIVE_INFINITY });
  }

  /** Makes a camera message due, as it alone carries the person's appearance. */
  handleLooks(): void {
    this.#hasNewLooks = true;
  }

  /** Notes that the session announced the camera. The hands are announced again. */
  handleAnnounced(now: number): void {
    for (const [part, track] of this.#tracks) {
      track.isAnnounced = part === "camera";
      track.sent = part === "camera" ? track.latest : null;
      track.sentAt = part === "camera" ? now : Number.NEGATIVE_INFINITY;
    }
  }

  /** The newest pose of the camera. */
  get camera(): Pose | undefined {
    return this.#tracks.get("camera")?.latest ?? undefined;
  }

  /** The present parts with their newest poses. */
  get present(): readonly (readonly [PosedBodyPart, Pose])[] {
    return [...this.#tracks].flatMap(([part, { latest }]) => (latest === null ? [] : [[part, latest] as const]));
  }

  /** Takes the poses that are due at `now` and marks them as sent. */
  takeDue(now: number): readonly DuePose[] {
    const due: DuePose[] = [];
    for (const [part, track] of this.#tracks) {
      if (track.latest === null) {
        this.#tracks.delete(part);
        if (track.isAnnounced) due.push({ part, pose: null, first: false });
      } else if (this.#isDue(track, now, part === "camera" || track.isAnnounced) || this.#looksDue(part, track, now)) {
        due.push({ part, pose: track.latest, first: !track.isAnnounced });
        track.sent = track.latest;
        track.sentAt = now;
        track.isAnnounced = true;
        if (part === "camera") this.#hasNewLooks = false;
      }
    }
    return due;
  }

  #looksDue(part: PosedBodyPart, track: OutgoingPoseTrack, now: number): boolean {
    return part === "camera" && this.#hasNewLooks && now - track.sentAt >= POSE_PERIOD_MS;
  }

  #isDue(track: OutgoingPoseTrack, now: number, beats: boolean): boolean {
    const since = now - track.sentAt;
    if (this.isCarried) return since >= CARRIED_HEARTBEAT_MS;
    if (since < POSE_PERIOD_MS) return false;
    return (beats && since >= HEARTBEAT_MS) || !sameJson(track.sent, track.latest);
  }
}
