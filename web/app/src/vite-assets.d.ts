/** Vite bundles the styles into the page. */
declare module "*.css";
/** Vite bundles the module for a worker or worklet, and gives its address. */
declare module "*?worker&url" {
  const url: string;
  export default url;
}
