/** A-Frame ships no types. `AFrameAdapter` in `aframe.ts` declares the parts that this package uses. */
declare module "aframe" {
  const library: unknown;
  export default library;
}

/** The URL at which the build serves the file. */
declare module "*?url" {
  const address: string;
  export default address;
}
