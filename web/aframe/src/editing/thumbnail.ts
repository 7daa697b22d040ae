/** Renders a thumbnail of one object: evenly lit, from a corner, without the rest of the scene. */
import { type AFrameAdapter, behaviourOf, type Entity, type SceneElement, type Three } from "../aframe.ts";
import { ModelBehaviour } from "../drawing/stoa-model.ts";
import { THUMBNAIL_WAIT_MS } from "../limits.ts";

/** Interval of polling for a loaded file. */
const LOOK_MS = 200;
/** Direction from the object to the camera, in scene space: mostly +z, because most models face +z. */
const FROM = [0.7, 0.5, 1] as const;
/** In degrees. A narrow view has little perspective distortion. */
const VIEW_DEG = 30;
const LIGHT = { sky: "#ffffff", ground: "#b9b4aa", sun: "#ffffff", skyIntensity: 2.2, sunIntensity: 1.8 } as const;

/** Resolves to the entity once its file is shown; `null` if it is broken, removed or too slow. */
export async function onceShown(find: () => Entity | null): Promise<Entity | null> {
  for (let waitedMs = 0; waitedMs < THUMBNAIL_WAIT_MS; waitedMs += LOOK_MS) {
    const el = find();
    const model = el && behaviourOf(el, "stoa-model", ModelBehaviour);
    if (model?.state === "shown") return el;
    if (model?.state === "broken") return null;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return null;
}

/**
 * A thumbnail as a WebP file, `pixels` wide and high; `null` if nothing is visible or the browser can't encode WebP.
 */
export async function thumbnailOf(
  { THREE }: AFrameAdapter,
  scene: SceneElement,
  { el, pixels }: { readonly el: Entity; readonly pixels: number },
): Promise<Blob | null> {
  const box = new THREE.Box3().setFromObject(el.object3D);
  if (box.isEmpty()) return null;
  const { renderer } = scene;
  const target = new THREE.WebGLRenderTarget(pixels, pixels, { samples: 4 });
  const bytes = new Uint8Array(pixels * pixels * 4);
  const own = { target: renderer.getRenderTarget(), xr: renderer.xr.enabled, color: new THREE.Color() };
  const alpha = renderer.getClearAlpha();
  renderer.getClearColor(own.color);
  let reading: Promise<unknown>;
  try {
    renderer.xr.enabled = false;
    renderer.setRenderTarget(target);
    renderer.setClearColor(0, 0);
    renderer.clear();
    renderer.render(stageOf(THREE, el.object3D), cameraFor(THREE, box));
    // Reads asynchronously: other readers such as the splat renderer keep their own pixel buffer bound, which blocks
    // synchronous reads.
    reading = renderer.readRenderTargetPixelsAsync(target, 0, 0, pixels, pixels, bytes);
  } finally {
    renderer.setRenderTarget(own.target);
    renderer.setClearColor(own.color, alpha);
    renderer.xr.enabled = own.xr;
  }
  await reading.finally(() => target.dispose());
  return fileOf(bytes, pixels, scene.ownerDocument);
}

/** A lit scene for the thumbnail. The object is listed as its child without leaving its own scene. */
function stageOf(THREE: typeof Three, object: Three.Object3D): Three.Scene {
  const stage = new THREE.Scene();
  const sun = new THREE.DirectionalLight(LIGHT.sun, LIGHT.sunIntensity);
  sun.position.set(...FROM);
  stage.add(new THREE.HemisphereLight(LIGHT.sky, LIGHT.ground, LIGHT.skyIntensity), sun);
  stage.updateMatrixWorld(true);
  stage.matrixWorldAutoUpdate = false;
  stage.children.push(object);
  return stage;
}

function cameraFor(THREE: typeof Three, box: Three.Box3): Three.PerspectiveCamera {
  const ball = box.getBoundingSphere(new THREE.Sphere());
  const radius = Math.max(ball.radius, 1e-3);
  const distance = radius / Math.sin((VIEW_DEG * Math.PI) / 360);
  const camera = new THREE.PerspectiveCamera(VIEW_DEG, 1, distance / 100, distance + 2 * radius);
  camera.position
    .set(...FROM)
    .setLength(distance)
    .add(ball.center);
  camera.lookAt(ball.center);
  camera.updateMatrixWorld();
  return camera;
}

/** Encodes linear light as a WebP file, in sRGB and with flipped rows. */
function fileOf(light: Uint8Array, pixels: number, document: Document): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [pixels, pixels];
  const pen = canvas.getContext("2d");
  if (pen === null) return Promise.resolve(null);
  const image = pen.createImageData(pixels, pixels);
  const row = pixels * 4;
  for (let y = 0; y < pixels; y += 1)
    for (let x = 0; x < row; x += 1) {
      const value = light[(pixels - 1 - y) * row + x] ?? 0;
      image.data[y * row + x] = x % 4 === 3 ? value : (SCREEN[value] ?? 0);
    }
  pen.putImageData(image, 0, 0);
  return new Promise((resolve) =>
    canvas.toBlob((blob) => resolve(blob?.type === "image/webp" ? blob : null), "image/webp", 0.8),
  );
}

const SCREEN = Uint8ClampedArray.from({ length: 256 }, (_, at) => {
  const part = at / 255;
  return 255 * (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);
});
