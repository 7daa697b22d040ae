/** A person's position, and when it was reported, received or shown. */
export interface Placed {
  readonly at: number;
  readonly place: readonly [x: number, z: number];
}

export function cameraPlaces(message: {
  readonly at: number;
  readonly bytes: Iterable<number>;
}): (Placed & { readonly name: string })[];
export function delays(own: readonly Placed[], places: readonly Placed[]): number[];
export function shownDelays(own: readonly Placed[], shown: readonly Placed[]): number[];
