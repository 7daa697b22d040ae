/** Vite puts the styles into the page's own file. */
declare module "*.css";
