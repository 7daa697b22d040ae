/** Ends an exhaustive switch in its `default`: a new variant fails to compile until it is handled. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
