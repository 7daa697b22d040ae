/** Makes ids for new objects. */

/** A new id with this stem, such as an object's type, unlikely to collide. */
export function newId(objectType: unknown, random: () => number = Math.random): string {
  return `${typeof objectType === "string" && objectType !== "" ? objectType : "object"}-${tail(random)}`;
}

/** Six random letters and digits. */
export function tail(random: () => number = Math.random): string {
  return Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, "0");
}
