/** Names for what is made here. */

/** A new id for something of this kind, unlikely to be anybody else's. */
export function newId(objectType: unknown, random: () => number = Math.random): string {
  return `${typeof objectType === "string" && objectType !== "" ? objectType : "object"}-${tail(random)}`;
}

/** Six letters and digits. */
export function tail(random: () => number = Math.random): string {
  return Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, "0");
}
