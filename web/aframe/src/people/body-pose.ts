/**
 * Estimates a body's joints from head and hand poses by simple inverse kinematics. Pure. Metres, in the scene's axes,
 * relative to the head. Allocates nothing after construction.
 */
import { BODY, STRIDE } from "../limits.ts";

/** A mutable position or direction. */
export interface Point {
  x: number;
  y: number;
  z: number;
}

/** An arm (shoulder, elbow, wrist) or a leg (hip, knee, ankle). */
export interface LimbJoints {
  readonly root: Point;
  readonly joint: Point;
  readonly end: Point;
}

export interface BodyJoints {
  readonly neck: Point;
  readonly hips: Point;
  readonly arms: readonly [left: LimbJoints, right: LimbJoints];
  readonly legs: readonly [left: LimbJoints, right: LimbJoints];
  /** Heading of the chest about the up axis; 0 is along -z. */
  yawRad: number;
}

/** The tracked input at one moment. */
export interface TrackedBodyInput {
  /** In scene space. */
  readonly head: Point;
  /** Heading of the head about the up axis. */
  yawRad: number;
  /** Height of the eyes above the ground below the feet. */
  eyesM: number;
  /** Relative to the head; `null` for an untracked hand. */
  readonly hands: [left: Point | null, right: Point | null];
}

const point = (): Point => ({ x: 0, y: 0, z: 0 });
const limb = (): LimbJoints => ({ root: point(), joint: point(), end: point() });
const SIDES = [0, 1] as const;

/**
 * Two-bone IK: places the middle joint, bent towards `pole`. An end out of reach moves to the nearest reachable
 * point.
 */
export function bend({ root, joint, end }: LimbJoints, bonesM: readonly [number, number], pole: Readonly<Point>): void {
  const [upper, lower] = bonesM;
  let [x, y, z] = [end.x - root.x, end.y - root.y, end.z - root.z];
  let asked = Math.hypot(x, y, z);
  // An end at the root has no direction: use down.
  if (asked < 1e-6) [asked, y] = [1, -1];
  const length = Math.min(upper + lower - 1e-4, Math.max(Math.abs(upper - lower) + 1e-4, asked));
  [x, y, z] = [x / asked, y / asked, z / asked];
  end.x = root.x + x * length;
  end.y = root.y + y * length;
  end.z = root.z + z * length;
  const along = (upper * upper - lower * lower + length * length) / (2 * length);
  const aside = Math.sqrt(Math.max(0, upper * upper - along * along));
  // Projects the pole onto the plane across the limb.
  const share = pole.x * x + pole.y * y + pole.z * z;
  let [px, py, pz] = [pole.x - share * x, pole.y - share * y, pole.z - share * z];
  const size = Math.hypot(px, py, pz);
  // A pole along the limb has no projection: use any direction across.
  if (size < 1e-6) [px, py, pz] = Math.hypot(x, z) > 0.1 ? across(x, z) : [0, 0, 1];
  else [px, py, pz] = [px / size, py / size, pz / size];
  joint.x = root.x + x * along + px * aside;
  joint.y = root.y + y * along + py * aside;
  joint.z = root.z + z * along + pz * aside;
}

function across(x: number, z: number): [number, number, number] {
  const length = Math.hypot(x, z);
  return [-z / length, 0, x / length];
}

export class BodyPoseEstimator {
  readonly joints: BodyJoints = {
    neck: point(),
    hips: point(),
    arms: [limb(), limb()],
    legs: [limb(), limb()],
    yawRad: 0,
  };
  readonly #pole = point();
  readonly #before = point();
  #isFirst = true;
  /** Phase of the stride, in radians; a full stride is 2π. */
  #phase = 0;
  /** Weight of the walk cycle, 0 for standing to 1 for walking. */
  #pace = 0;
  #sin = 0;
  #cos = 1;
  #aheadX = 0;
  #aheadZ = 0;

  /** Advances the pose by `seconds` to the tracked input. */
  update(targets: TrackedBodyInput, seconds: number): void {
    this.#walk(targets, seconds);
    this.#turn(targets, seconds);
    const { joints } = this;
    const eyes = Math.min(BODY.eyesMaxM, Math.max(BODY.eyesMinM, targets.eyesM));
    this.#sin = Math.sin(joints.yawRad);
    this.#cos = Math.cos(joints.yawRad);
    joints.neck.y = -BODY.neckM;
    joints.hips.y = Math.max(-BODY.torsoM, 0.25 - eyes);
    for (const side of SIDES) {
      const out = side === 0 ? -1 : 1;
      this.#leg(joints.legs[side], out, eyes);
      this.#arm(joints.arms[side], out, targets.hands[side]);
    }
  }

  /** Advances the walk cycle by the distance covered. A teleport exceeds the top speed and isn't animated. */
  #walk({ head }: TrackedBodyInput, seconds: number): void {
    const [x, z] = [head.x - this.#before.x, head.z - this.#before.z];
    this.#before.x = head.x;
    this.#before.z = head.z;
    const covered = this.#isFirst ? 0 : Math.hypot(x, z);
    const speed = seconds > 0 ? covered / seconds : 0;
    const walks = speed > STRIDE.speedMin && speed < STRIDE.speedMax;
    const change = Math.min(1, seconds * STRIDE.changePerS);
    this.#pace += ((walks ? Math.min(1, speed / STRIDE.speedFull) : 0) - this.#pace) * change;
    if (!walks) return;
    this.#phase = (this.#phase + (covered / STRIDE.lengthM) * 2 * Math.PI) % (2 * Math.PI);
    this.#aheadX = x / covered;
    this.#aheadZ = z / covered;
  }

  /** Turns the chest after the head: at once beyond the neck's limit, slowly within it. */
  #turn({ yawRad }: TrackedBodyInput, seconds: number): void {
    const { joints } = this;
    if (this.#isFirst) joints.yawRad = yawRad;
    this.#isFirst = false;
    const off = wrapped(yawRad - joints.yawRad);
    const far = Math.max(0, Math.abs(off) - BODY.neckTurnRad);
    const rest = (Math.abs(off) - far) * Math.min(1, seconds * (this.#pace > 0.1 ? 6 : 1.5));
    joints.yawRad = wrapped(joints.yawRad + Math.sign(off) * (far + rest));
  }

  #leg(leg: LimbJoints, out: number, eyes: number): void {
    const { hips } = this.joints;
    // The right leg is half a stride behind the left.
    const phase = this.#phase + (out > 0 ? Math.PI : 0);
    const swing = Math.sin(phase) * STRIDE.swingM * this.#pace;
    const lift = Math.max(0, Math.cos(phase)) * STRIDE.liftM * this.#pace;
    // A seated or crouching person has the feet in front.
    const bent = Math.max(0, BODY.legM - (eyes + hips.y)) * 0.7;
    this.#setOffset(leg.root, hips, out * BODY.hipM, 0);
    this.#setOffset(leg.end, hips, out * BODY.hipM, -bent);
    leg.end.x += this.#aheadX * swing;
    leg.end.z += this.#aheadZ * swing;
    leg.end.y = lift - eyes + BODY.ankleM;
    this.#aim(0, 0.2, -1);
    bend(leg, BODY.legBonesM, this.#pole);
  }

  #arm(arm: LimbJoints, out: number, hand: Readonly<Point> | null): void {
    const { neck } = this.joints;
    this.#setOffset(arm.root, neck, out * BODY.shoulderM, 0);
    arm.root.y -= 0.04;
    if (hand === null) {
      // A free arm hangs, and swings opposite to its leg.
      const swing = Math.sin(this.#phase + (out > 0 ? 0 : Math.PI)) * 0.18 * this.#pace;
      this.#setOffset(arm.end, neck, out * (BODY.shoulderM + 0.07), -0.06 - swing);
      arm.end.y -= 0.56;
    } else {
      arm.end.x = hand.x;
      arm.end.y = hand.y;
      arm.end.z = hand.z;
    }
    this.#aim(out * 0.5, -0.8, 0.6);
    bend(arm, BODY.armBonesM, this.#pole);
  }

  #aim(x: number, y: number, z: number): void {
    this.#pole.x = x * this.#cos + z * this.#sin;
    this.#pole.y = y;
    this.#pole.z = z * this.#cos - x * this.#sin;
  }

  /** Writes a point offset in the chest's frame: `x` to the right, `z` backwards. */
  #setOffset(into: Point, from: Readonly<Point>, x: number, z: number): void {
    into.x = from.x + x * this.#cos + z * this.#sin;
    into.y = from.y;
    into.z = from.z + z * this.#cos - x * this.#sin;
  }
}

/** Wraps an angle to half a turn either way. */
function wrapped(rad: number): number {
  return rad - 2 * Math.PI * Math.round(rad / (2 * Math.PI));
}
