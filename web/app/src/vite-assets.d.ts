/** Vite bundles the styles into the page. */
declare module "*.css";
