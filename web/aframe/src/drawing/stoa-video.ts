/** Plays a video on an object's surface. Page: docs/components/stoa-video.md */
import { type AFrameAdapter, asEntity, type Behaviour, detailOf, type Entity, type Three } from "../aframe.ts";
import { ObjectAssetLoader } from "../assets/asset-request.ts";
import { whyUnread } from "../assets/fetch-asset.ts";
import { ObjectTextureLoader, type RequestedTexture } from "../assets/queued-texture.ts";
import type { SceneLibraryLookup } from "../assets/scene-libraries.ts";
import { SEARCH_INTERVAL_MS, VIDEOS_MAX } from "../limits.ts";
import type { RemotePressDetail } from "../pressing/remote-presses.ts";
import type { PointerDetail } from "../pressing/stoa-pointer.ts";
import { isRefused } from "../safe-url.ts";
import { playsWhenAllowed } from "./autoplay.ts";

export interface VideoSettings {
  readonly src: string;
  /** The picture shown while paused; empty: the surface's own. */
  readonly frame: string;
  /** The id of the object that shows the video; empty: this one. */
  readonly player: string;
  readonly loop: boolean;
  readonly autoplay: boolean;
  /** 0 to 1. */
  readonly volume: number;
  /** Whether presses start and pause the video. */
  readonly pressed: boolean;
  /** Whether other people's presses start and pause the video too. */
  readonly anyone: boolean;
  /** Whether the video is viewed from behind, as from inside a sphere. */
  readonly mirrored: boolean;
}

/** One video. */
export class VideoBehaviour implements Behaviour<VideoSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #films: Set<VideoBehaviour>;
  readonly #listening = new AbortController();
  #settings: VideoSettings | null = null;
  #video: HTMLVideoElement | null = null;
  #film: Three.VideoTexture | null = null;
  readonly #queue: ObjectTextureLoader;
  readonly #taker: ObjectAssetLoader;
  #taken: RequestedTexture | null = null;
  #frame: Three.Texture | null = null;
  #stopTrying: () => void = () => undefined;
  #plays = false;
  #player: Entity | null = null;
  #painted: Three.MeshBasicMaterial | null = null;
  #ownTexture: Three.Texture | null = null;
  /** The texture painted last; `null`: the surface's own. */
  #shownTexture: Three.Texture | null = null;
  #searchedMs = Number.NEGATIVE_INFINITY;

  constructor(aframe: AFrameAdapter, el: Entity, films: Set<VideoBehaviour>, libraryOf: SceneLibraryLookup) {
    this.#queue = new ObjectTextureLoader(aframe, el, libraryOf);
    this.#taker = new ObjectAssetLoader(aframe, el);
    this.#aframe = aframe;
    this.#el = el;
    this.#films = films;
    el.addEventListener("mousedown", (event) => this.#pressed(detailOf(event)), { signal: this.#listening.signal });
  }

  /** Whether the video plays or waits for the browser's permission. */
  get plays(): boolean {
    return this.#plays;
  }

  update(settings: VideoSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    if (before?.player !== settings.player) this.#forgetPlayer();
    // The frame loads first, because `#loadFrame` clears the broken-file marker, and `#load` may set it.
    if (before?.frame !== settings.frame) this.#loadFrame(settings.frame);
    if (before?.src !== settings.src || before.mirrored !== settings.mirrored) this.#load(settings);
    this.#setUp(settings, before?.src !== settings.src || before.autoplay !== settings.autoplay);
  }

  /** A-Frame may create materials and meshes at any time, so the current surface is painted in each frame. */
  tick(timeMs: number): void {
    const waiting = this.#video || isRefused(this.#settings?.src ?? "") ? null : this.#settings;
    if (waiting && this.#films.size < VIDEOS_MAX) this.#tryAgain(waiting);
    const material = this.#surface(timeMs);
    if (!material) return;
    if (material !== this.#painted) this.#restore();
    if (material !== this.#painted) [this.#painted, this.#ownTexture] = [material, material.map];
    else if (material.map !== (this.#shownTexture ?? this.#ownTexture)) this.#adoptTexture(material.map);
    this.#shownTexture = this.#plays ? this.#film : this.#frame;
    const wanted = this.#shownTexture ?? this.#ownTexture;
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

  #pressed(detail: (PointerDetail & RemotePressDetail) | null): void {
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

  #setUp({ loop, volume, autoplay }: VideoSettings, isOther: boolean): void {
    if (!this.#video) return;
    Object.assign(this.#video, { loop, volume });
    if (isOther) this.#play(autoplay);
  }

  /** Loads a video that the limit on videos had kept out, because a slot is free now. */
  #tryAgain(settings: VideoSettings): void {
    this.#load(settings);
    this.#setUp(settings, true);
  }

  /**
   * Records the picture that A-Frame has put on the surface. A-Frame has also disposed the video's texture. A disposed
   * texture gets no new frames, so this creates another.
   */
  #adoptTexture(own: Three.Texture | null): void {
    this.#ownTexture = own;
    if (this.#film && this.#shownTexture === this.#film && this.#video) this.#film = this.#filmOf(this.#video);
  }

  #load({ src }: VideoSettings): void {
    this.#unload();
    if (isRefused(src)) this.#taker.showBroken(src, "no-address");
    if (isRefused(src) || this.#films.size >= VIDEOS_MAX) return;
    this.#films.add(this);
    const video = this.#el.ownerDocument.createElement("video");
    video.crossOrigin = "anonymous";
    video.playsInline = true;
    video.preload = "metadata";
    video.addEventListener("error", () => void this.#failed(video, src));
    video.src = src;
    this.#video = video;
    this.#film = this.#filmOf(video);
  }

  async #failed(video: HTMLVideoElement, src: string): Promise<void> {
    const code = await whyUnread(src);
    if (this.#video === video) this.#taker.showBroken(src, code);
  }

  #filmOf(video: HTMLVideoElement): Three.VideoTexture {
    const { THREE } = this.#aframe;
    this.#film?.dispose();
    const film = new THREE.VideoTexture(video);
    film.colorSpace = THREE.SRGBColorSpace;
    if (this.#settings?.mirrored) {
      film.wrapS = THREE.RepeatWrapping;
      film.repeat.x = -1;
    }
    return film;
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
    this.#taker.clear();
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
    if (this.#painted && this.#shownTexture && this.#painted.map === this.#shownTexture) {
      this.#painted.map = this.#ownTexture;
      this.#painted.needsUpdate = true;
    }
    [this.#painted, this.#ownTexture, this.#shownTexture] = [null, null, null];
  }

  #forgetPlayer(): void {
    this.#restore();
    this.#player = null;
    this.#searchedMs = Number.NEGATIVE_INFINITY;
  }

  /** The material that shows the video. All of A-Frame's textured materials have `map`, like the basic one. */
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

/** Registers `stoa-video`. */
export function registerVideo(aframe: AFrameAdapter, libraryOf: SceneLibraryLookup): void {
  const films = new Set<VideoBehaviour>();
  const text = { type: "plain", default: "" };
  aframe.registerComponent<VideoSettings, VideoBehaviour>({
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
    create: (el) => new VideoBehaviour(aframe, el, films, libraryOf),
  });
}
