/** A film on the surface of an object. Page: docs/components/stoa-video.md */
import { type AFrame, asEntity, type Behaviour, detailOf, type Entity, type Three } from "./aframe.ts";
import { SEARCH_INTERVAL_MS, VIDEOS_MAX } from "./limits.ts";
import type { OthersPress } from "./others-presses.ts";
import { playsWhenAllowed } from "./playing.ts";
import { type QueuedTexture, QueuedTextures } from "./queued-texture.ts";
import type { LibraryOf } from "./stoa-model.ts";
import type { PointerDetail } from "./stoa-pointer.ts";

/** The settings of `stoa-video`. */
export interface VideoSettings {
  readonly src: string;
  /** The picture that is shown while it stands; empty: the surface as it is. */
  readonly frame: string;
  /** The id of the object that shows it; empty: this one. */
  readonly player: string;
  readonly loop: boolean;
  readonly autoplay: boolean;
  /** 0 to 1. */
  readonly volume: number;
  /** Whether presses start and stop it. */
  readonly pressed: boolean;
  /** Whether others' presses do so as well. */
  readonly anyone: boolean;
  /** Whether it is seen from behind, as a sphere's is from inside. */
  readonly mirrored: boolean;
}

/** One film. */
export class Video implements Behaviour<VideoSettings> {
  readonly #aframe: AFrame;
  readonly #el: Entity;
  readonly #films: Set<Video>;
  readonly #listening = new AbortController();
  #settings: VideoSettings | null = null;
  #video: HTMLVideoElement | null = null;
  #film: Three.VideoTexture | null = null;
  readonly #queue: QueuedTextures;
  #taken: QueuedTexture | null = null;
  #frame: Three.Texture | null = null;
  #stopTrying: () => void = () => undefined;
  #plays = false;
  #player: Entity | null = null;
  #painted: Three.MeshBasicMaterial | null = null;
  #before: Three.Texture | null = null;
  #searchedMs = Number.NEGATIVE_INFINITY;

  constructor(aframe: AFrame, el: Entity, films: Set<Video>, libraryOf: LibraryOf) {
    this.#queue = new QueuedTextures(aframe, el, libraryOf);
    this.#aframe = aframe;
    this.#el = el;
    this.#films = films;
    el.addEventListener("mousedown", (event) => this.#pressed(detailOf(event)), { signal: this.#listening.signal });
  }

  /** Whether it plays, or waits for the browser to let it. */
  get plays(): boolean {
    return this.#plays;
  }

  update(settings: VideoSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    if (before?.player !== settings.player) this.#forgetPlayer();
    if (before?.src !== settings.src || before.mirrored !== settings.mirrored) this.#load(settings);
    if (before?.frame !== settings.frame) this.#loadFrame(settings.frame);
    if (!this.#video) return;
    this.#video.loop = settings.loop;
    this.#video.volume = settings.volume;
    if (before?.src !== settings.src || before.autoplay !== settings.autoplay) this.#play(settings.autoplay);
  }

  /** A-Frame makes materials and meshes when it likes: whoever shows the surface now shows the film. */
  tick(timeMs: number): void {
    const material = this.#surface(timeMs);
    const map = this.#plays ? this.#film : this.#frame;
    if (!material) return;
    if (material !== this.#painted) this.#restore();
    if (material !== this.#painted) [this.#painted, this.#before] = [material, material.map];
    const wanted = map ?? this.#before;
    if (material.map === wanted) return;
    material.map = wanted;
    material.needsUpdate = true;
  }

  remove(): void {
    this.#listening.abort();
    this.#forgetPlayer();
    this.#unload();
    this.#loadFrame("");
  }

  #pressed(detail: (PointerDetail & OthersPress) | null): void {
    const settings = this.#settings;
    if (!settings?.pressed || !this.#video) return;
    const others = detail?.clicker !== undefined;
    if (others ? settings.anyone : detail?.point !== undefined) this.#play(!this.#plays);
  }

  #play(plays: boolean): void {
    this.#plays = plays && this.#video !== null;
    this.#stopTrying();
    if (!this.#video) return;
    if (plays) this.#stopTrying = playsWhenAllowed(this.#video, this.#el.ownerDocument);
    else this.#video.pause();
  }

  #load({ src, mirrored }: VideoSettings): void {
    this.#unload();
    if (this.#films.size >= VIDEOS_MAX) return;
    this.#films.add(this);
    const { THREE } = this.#aframe;
    const video = this.#el.ownerDocument.createElement("video");
    video.crossOrigin = "anonymous";
    video.playsInline = true;
    video.preload = "metadata";
    video.src = src;
    this.#video = video;
    const film = new THREE.VideoTexture(video);
    film.colorSpace = THREE.SRGBColorSpace;
    if (mirrored) {
      film.wrapS = THREE.RepeatWrapping;
      film.repeat.x = -1;
    }
    this.#film = film;
  }

  #loadFrame(frame: string): void {
    this.#taken?.release();
    [this.#taken, this.#frame] = [null, null];
    this.#queue.clear();
    if (frame === "") return;
    const taken = this.#queue.take(frame, () => {
      this.#frame = taken.texture;
    });
    taken.texture.colorSpace = this.#aframe.THREE.SRGBColorSpace;
    this.#taken = taken;
  }

  #unload(): void {
    this.#stopTrying();
    this.#plays = false;
    this.#restore();
    this.#film?.dispose();
    this.#film = null;
    if (!this.#video) return;
    this.#films.delete(this);
    this.#video.pause();
    this.#video.removeAttribute("src");
    this.#video.load();
    this.#video = null;
  }

  #restore(): void {
    const map = this.#painted?.map;
    if (this.#painted && (map === this.#film || map === this.#frame)) {
      this.#painted.map = this.#before;
      this.#painted.needsUpdate = true;
    }
    [this.#painted, this.#before] = [null, null];
  }

  #forgetPlayer(): void {
    this.#restore();
    this.#player = null;
    this.#searchedMs = Number.NEGATIVE_INFINITY;
  }

  /** The material that shows it. All of A-Frame's that have pictures have `map`, as the basic one does. */
  #surface(timeMs: number): Three.MeshBasicMaterial | null {
    if (this.#settings?.player === "" || this.#settings?.player === this.#el.dataset.objectId) this.#player = this.#el;
    if (!this.#player?.isConnected) this.#search(timeMs);
    const mesh = this.#player?.getObject3D("mesh");
    if (!mesh || !("material" in mesh)) return null;
    const material = mesh.material;
    const { THREE } = this.#aframe;
    return material instanceof THREE.Material && hasMap(material) ? material : null;
  }

  #search(timeMs: number): void {
    this.#player = null;
    if (timeMs - this.#searchedMs < SEARCH_INTERVAL_MS) return;
    this.#searchedMs = timeMs;
    const id = CSS.escape(this.#settings?.player ?? "");
    const found = this.#el.sceneEl?.querySelector(`[data-object-id="${id}"]`);
    this.#player = found ? asEntity(found) : null;
  }
}

function hasMap(material: Three.Material): material is Three.MeshBasicMaterial {
  return "map" in material;
}

/** Makes `stoa-video` known to A-Frame. */
export function registerVideo(aframe: AFrame, libraryOf: LibraryOf): void {
  const films = new Set<Video>();
  const text = { type: "plain", default: "" };
  aframe.registerComponent<VideoSettings, Video>({
    name: "stoa-video",
    schema: {
      src: text,
      frame: text,
      player: text,
      loop: { type: "boolean", default: true },
      autoplay: { type: "boolean", default: false },
      volume: { type: "number", default: 1 },
      pressed: { type: "boolean", default: false },
      anyone: { type: "boolean", default: true },
      mirrored: { type: "boolean", default: false },
    },
    create: (el) => new Video(aframe, el, films, libraryOf),
  });
}
