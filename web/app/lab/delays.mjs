/**
 * Delays from the report of a position to its arrival and to its display. A position is `[x, z]` in metres, a time is
 * in milliseconds of one clock.
 */

const CAMERA =
  /"object_id":"([^"]+)"[^{}]*"data":\{"object_type":"camera","position":\{"x":([-\d.e]+),"y":[-\d.e]+,"z":([-\d.e]+)\}/g;

/** Positions of camera messages in a WebSocket message. */
export function cameraPlaces({ at, bytes }) {
  const text = new TextDecoder("latin1").decode(Uint8Array.from(bytes));
  return [...text.matchAll(CAMERA)].map(([, name, x, z]) => ({ at, name, place: [Number(x), Number(z)] }));
}

/** A key in whole millimetres, which identifies a pose. */
function keyOf([x, z]) {
  return `${Math.round(x * 1_000)} ${Math.round(z * 1_000)}`;
}

/** Delays from a position's first report to its arrival. */
export function delays(own, places) {
  const saidAt = new Map();
  for (const { at, place } of own) if (!saidAt.has(keyOf(place))) saidAt.set(keyOf(place), at);
  const came = new Map();
  for (const { at, place } of places) if (!came.has(keyOf(place))) came.set(keyOf(place), at);
  return [...came].filter(([key]) => saidAt.has(key)).map(([key, at]) => at - saidAt.get(key));
}

/**
 * Delays from the time when a person was at a position, interpolated between two reports, to its display. The person
 * walks along −z and never back.
 */
export function shownDelays(own, shown) {
  const path = own.filter(({ place }, index) => index === 0 || place[1] < own[index - 1].place[1]);
  const delaysMs = [];
  let later = 1;
  for (const { at, place } of shown) {
    const [, z] = place;
    while (later < path.length && path[later].place[1] > z) later += 1;
    const [from, to] = [path[later - 1], path[later]];
    if (to === undefined || from === undefined || z > from.place[1]) continue;
    const share = (from.place[1] - z) / (from.place[1] - to.place[1]);
    delaysMs.push(at - (from.at + share * (to.at - from.at)));
  }
  return delaysMs;
}
