/** What a device bears. */
import { SMALL_DEVICE_GIB, TEXTURE_BYTES_MAX, TEXTURE_BYTES_MAX_SMALL } from "../limits.ts";

/** What of a browser is looked at. */
export interface Device {
  /** In GiB; not every browser says it. */
  readonly deviceMemory?: number;
  readonly maxTouchPoints: number;
}

/** What all textures may take, in bytes: fingers without a word of memory are a phone, a tablet or a headset. */
export function textureBytesMax({ deviceMemory, maxTouchPoints }: Device): number {
  const isSmall = deviceMemory === undefined ? maxTouchPoints > 1 : deviceMemory <= SMALL_DEVICE_GIB;
  return isSmall ? TEXTURE_BYTES_MAX_SMALL : TEXTURE_BYTES_MAX;
}
