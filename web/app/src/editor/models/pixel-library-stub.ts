/**
 * Stands for the libraries by which glTF Transform would read and scale pictures: they make functions of text, which the realm's policy forbids, and the
 * browser does it better (`model-worker.ts`). Named in `vite.config.ts`.
 */
function none(): never {
  throw new Error("pictures are drawn by the browser");
}

export { none as getPixels, none as lanczos2, none as lanczos3, none as savePixels };
// ndarray's one export has no name.
// biome-ignore lint/style/noDefaultExport: the library that this stands for has one
export default none;
