/** For the `default` of an exhaustive switch: a new variant then fails to compile until it is handled. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
