/** For the `default` of a switch that has met everything: a new kind does not compile until it is met. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
