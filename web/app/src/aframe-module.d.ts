declare module "aframe" {
  /** A-Frame ships no types; `@stoa/aframe` names what it needs of it. */
  const library: unknown;
  export default library;
}
