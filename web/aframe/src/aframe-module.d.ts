/** A-Frame ships no types; `AFrame` in `aframe.ts` names what is used of it. */
declare module "aframe" {
  const library: unknown;
  export default library;
}

/** The address at which the build serves a file. */
declare module "*?url" {
  const address: string;
  export default address;
}
