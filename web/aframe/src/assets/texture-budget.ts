/** Computes the memory budget of all textures from the device's memory and touch points. */
import { SMALL_DEVICE_GIB, TEXTURE_BYTES_MAX, TEXTURE_BYTES_MAX_SMALL } from "../limits.ts";

/** The part of `navigator` that is read. */
export interface DeviceMemoryHints {
  /** In GiB; missing in some browsers. */
  readonly deviceMemory?: number;
  readonly maxTouchPoints: number;
}

/** Budget of all textures, in bytes. A touch device without a memory report counts as a phone, tablet or headset. */
export function textureBytesMax({ deviceMemory, maxTouchPoints }: DeviceMemoryHints): number {
  const isSmall = deviceMemory === undefined ? maxTouchPoints > 1 : deviceMemory <= SMALL_DEVICE_GIB;
  return isSmall ? TEXTURE_BYTES_MAX_SMALL : TEXTURE_BYTES_MAX;
}
