/**
 * Where the joints of a body are whose head and hands are known: simple inverse kinematics. Pure. Metres, axes of the scene; all joints are
 * seen from the head. Nothing is allocated after construction.
 */
import { BODY, STRIDE } from "../limits.ts";

/** A place or a direction that is written to. */
export interface Point {
  x: number;
  y: number;
  z: number;
}

/** One arm or leg: from shoulder over elbow to wrist, or from hip over knee to sole. */
export interface Limb {
  readonly root: Point;
  readonly middle: Point;
  readonly end: Point;
}

/** The body. */
export interface Joints {
  readonly neck: Point;
  readonly hips: Point;
  readonly arms: readonly [left: Limb, right: Limb];
  readonly legs: readonly [left: Limb, right: Limb];
  /** Where the chest looks, about the upward axis; 0 is along -z. */
  yawRad: number;
}

/** What is known of somebody at one moment. */
export interface BodyTargets {
  /** In the scene. */
  readonly head: Point;
  /** Where the head looks, about the upward axis. */
  yawRad: number;
  /** How far the eyes are above what the feet stand on. */
  eyesM: number;
  /** Seen from the head; `null`: no such hand is told of. */
  readonly hands: [left: Point | null, right: Point | null];
}

const point = (): Point => ({ x: 0, y: 0, z: 0 });
const limb = (): Limb => ({ root: point(), middle: point(), end: point() });
const SIDES = [0, 1] as const;

/** Puts a limb's middle where both its bones are as long as they are, bent towards `pole`; an end out of reach is drawn nearer. */
export function bend({ root, middle, end }: Limb, bonesM: readonly [number, number], pole: Readonly<Point>): void {
  const [upper, lower] = bonesM;
  let [x, y, z] = [end.x - root.x, end.y - root.y, end.z - root.z];
  let asked = Math.hypot(x, y, z);
  // An end in the root itself says no way: down.
  if (asked < 1e-6) [asked, y] = [1, -1];
  const length = Math.min(upper + lower - 1e-4, Math.max(Math.abs(upper - lower) + 1e-4, asked));
  [x, y, z] = [x / asked, y / asked, z / asked];
  end.x = root.x + x * length;
  end.y = root.y + y * length;
  end.z = root.z + z * length;
  const along = (upper * upper - lower * lower + length * length) / (2 * length);
  const aside = Math.sqrt(Math.max(0, upper * upper - along * along));
  // The pole's part across the limb, for the middle lies in the plane of both.
  const share = pole.x * x + pole.y * y + pole.z * z;
  let [px, py, pz] = [pole.x - share * x, pole.y - share * y, pole.z - share * z];
  const size = Math.hypot(px, py, pz);
  // A pole along the limb says nothing either: any way across it will do.
  if (size < 1e-6) [px, py, pz] = Math.hypot(x, z) > 0.1 ? across(x, z) : [0, 0, 1];
  else [px, py, pz] = [px / size, py / size, pz / size];
  middle.x = root.x + x * along + px * aside;
  middle.y = root.y + y * along + py * aside;
  middle.z = root.z + z * along + pz * aside;
}

function across(x: number, z: number): [number, number, number] {
  const length = Math.hypot(x, z);
  return [-z / length, 0, x / length];
}

/** A body that follows its head. */
export class BodyPose {
  readonly joints: Joints = {
    neck: point(),
    hips: point(),
    arms: [limb(), limb()],
    legs: [limb(), limb()],
    yawRad: 0,
  };
  readonly #pole = point();
  readonly #before = point();
  #isFirst = true;
  /** Of a stride; a full one is 2π. */
  #phase = 0;
  /** 0 stands, 1 walks. */
  #pace = 0;
  #sin = 0;
  #cos = 1;
  #aheadX = 0;
  #aheadZ = 0;

  /** `seconds` after the last time, this is known. */
  update(known: BodyTargets, seconds: number): void {
    this.#walk(known, seconds);
    this.#turn(known, seconds);
    const { joints } = this;
    const eyes = Math.min(BODY.eyesMaxM, Math.max(BODY.eyesMinM, known.eyesM));
    this.#sin = Math.sin(joints.yawRad);
    this.#cos = Math.cos(joints.yawRad);
    joints.neck.y = -BODY.neckM;
    joints.hips.y = Math.max(-BODY.torsoM, 0.25 - eyes);
    for (const side of SIDES) {
      const out = side === 0 ? -1 : 1;
      this.#leg(joints.legs[side], out, eyes);
      this.#arm(joints.arms[side], out, known.hands[side]);
    }
  }

  /** How far the feet have gone. Whoever is moved in one go (a jump) does not run there. */
  #walk({ head }: BodyTargets, seconds: number): void {
    const [x, z] = [head.x - this.#before.x, head.z - this.#before.z];
    this.#before.x = head.x;
    this.#before.z = head.z;
    const way = this.#isFirst ? 0 : Math.hypot(x, z);
    const speed = seconds > 0 ? way / seconds : 0;
    const walks = speed > STRIDE.speedMin && speed < STRIDE.speedMax;
    const change = Math.min(1, seconds * STRIDE.changePerS);
    this.#pace += ((walks ? Math.min(1, speed / STRIDE.speedFull) : 0) - this.#pace) * change;
    if (!walks) return;
    this.#phase = (this.#phase + (way / STRIDE.lengthM) * 2 * Math.PI) % (2 * Math.PI);
    this.#aheadX = x / way;
    this.#aheadZ = z / way;
  }

  /** The chest comes after the head: at once where the head turns far, slowly where it only looks around. */
  #turn({ yawRad }: BodyTargets, seconds: number): void {
    const { joints } = this;
    if (this.#isFirst) joints.yawRad = yawRad;
    this.#isFirst = false;
    const off = wrapped(yawRad - joints.yawRad);
    const far = Math.max(0, Math.abs(off) - BODY.neckTurnRad);
    const rest = (Math.abs(off) - far) * Math.min(1, seconds * (this.#pace > 0.1 ? 6 : 1.5));
    joints.yawRad = wrapped(joints.yawRad + Math.sign(off) * (far + rest));
  }

  #leg(leg: Limb, out: number, eyes: number): void {
    const { hips } = this.joints;
    // The other leg is half a stride behind.
    const phase = this.#phase + (out > 0 ? Math.PI : 0);
    const swing = Math.sin(phase) * STRIDE.swingM * this.#pace;
    const lift = Math.max(0, Math.cos(phase)) * STRIDE.liftM * this.#pace;
    // Whoever sits or crouches has the feet before them.
    const bent = Math.max(0, BODY.legM - (eyes + hips.y)) * 0.7;
    this.#beside(leg.root, hips, out * BODY.hipM, 0);
    this.#beside(leg.end, hips, out * BODY.hipM, -bent);
    leg.end.x += this.#aheadX * swing;
    leg.end.z += this.#aheadZ * swing;
    leg.end.y = lift - eyes + BODY.ankleM;
    this.#aim(0, 0.2, -1);
    bend(leg, BODY.legBonesM, this.#pole);
  }

  #arm(arm: Limb, out: number, hand: Readonly<Point> | null): void {
    const { neck } = this.joints;
    this.#beside(arm.root, neck, out * BODY.shoulderM, 0);
    arm.root.y -= 0.04;
    if (hand === null) {
      // A free arm hangs, and swings against its leg.
      const swing = Math.sin(this.#phase + (out > 0 ? 0 : Math.PI)) * 0.18 * this.#pace;
      this.#beside(arm.end, neck, out * (BODY.shoulderM + 0.07), -0.06 - swing);
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

  /** Writes a place beside another, as the chest looks: `x` to the right, `z` backwards. */
  #beside(into: Point, from: Readonly<Point>, x: number, z: number): void {
    into.x = from.x + x * this.#cos + z * this.#sin;
    into.y = from.y;
    into.z = from.z + z * this.#cos - x * this.#sin;
  }
}

/** Within half a turn. */
function wrapped(rad: number): number {
  return rad - 2 * Math.PI * Math.round(rad / (2 * Math.PI));
}
