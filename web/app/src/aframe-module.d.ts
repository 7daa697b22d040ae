declare module "aframe" {
  /** A-Frame ships no types. `@stoa/aframe` declares the parts that it uses. */
  const library: unknown;
  export default library;
}
