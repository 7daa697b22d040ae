/** A card, a prompt or a row of buttons in the scene. Page: docs/components/stoa-panel.md */
import type { ClientEvent } from "@stoa/client";
import { type AFrameAdapter, type Behaviour, detailOf, type Entity, type Three } from "../aframe.ts";
import { ObjectTextureLoader, type RequestedTexture } from "../assets/queued-texture.ts";
import type { SceneLibraryLookup } from "../assets/scene-libraries.ts";
import type { AnyPanelSettings } from "../mapping/panel.ts";
import { dispose } from "../meshes.ts";
import { CLIENT_EVENT } from "../pressing/stoa-clickable.ts";
import { OVER, type PointerDetail, type RaySourceName } from "../pressing/stoa-pointer.ts";
import { AccessibleButtons } from "./accessible-buttons.ts";
import { FontCache, type FontLoader, glyphMesh, type LoadedFont } from "./glyph-mesh.ts";
import { buttonAt, panelLayout } from "./layout.ts";
import type { PanelButton, PanelLayout, PanelPicture } from "./layout-builder.ts";
import { pictureMesh, plateMesh } from "./plates.ts";

export interface PanelProps {
  readonly panel: AnyPanelSettings | null;
}

/** Loaders of fonts and pictures. */
export interface PanelAssetLoaders {
  readonly fonts: FontLoader;
  readonly libraryOf: SceneLibraryLookup;
}

const PANEL = "stoa-panel";
const BUTTON_Z_M = 0.03;
const PRESSED_Z_M = 0.015;

/** One panel. */
export class PanelBehaviour implements Behaviour<PanelProps> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #fonts: FontLoader;
  readonly #at: Three.Vector3;
  readonly #listening = new AbortController();
  #panel: AnyPanelSettings | null = null;
  #layout: PanelLayout | null = null;
  readonly #queue: ObjectTextureLoader;
  #pictures: readonly RequestedTexture[] = [];
  #plates: readonly Three.Mesh[] = [];
  #keys: AccessibleButtons | null = null;
  #hovered: PanelButton | null = null;
  /** The button held by each ray, because two hands can press two buttons. */
  readonly #pressed = new Map<RaySourceName, PanelButton>();

  constructor(aframe: AFrameAdapter, el: Entity, { fonts, libraryOf }: PanelAssetLoaders) {
    this.#aframe = aframe;
    this.#queue = new ObjectTextureLoader(aframe, el, libraryOf);
    this.#el = el;
    this.#fonts = fonts;
    this.#at = new aframe.THREE.Vector3();
    const on = (type: string, listener: (button: PanelButton | null, detail: PointerDetail) => void): void =>
      el.addEventListener(type, (event) => this.#over(detailOf(event), listener), { signal: this.#listening.signal });
    on("mouseenter", (button, { source }) => this.#press(source, null, button));
    on(OVER, (button) => this.#show(button));
    on("mousedown", (button, { source }) => this.#press(source, button, button));
    on("mouseup", (button, { source, point }) => {
      const pressed = this.#pressed.get(source);
      this.#press(source, null, this.#hovered);
      if (button && button === pressed) this.#click(button, point);
    });
    const leave = (event: Event): void => {
      const detail = detailOf<PointerDetail | undefined>(event);
      if (detail) this.#press(detail.source, null, null);
      else this.#forget();
    };
    el.addEventListener("mouseleave", leave, { signal: this.#listening.signal });
  }

  /** The layout, once the font has loaded. */
  get layout(): PanelLayout | null {
    return this.#layout;
  }

  update({ panel }: PanelProps): void {
    this.#panel = panel;
    if (!panel) {
      this.#clear();
      return;
    }
    this.#fonts.load(panel.font).then(
      (font) => this.#panel === panel && this.#build(panel, font),
      // The page reports a lost connection elsewhere; the panel retries at its next change.
      () => undefined,
    );
  }

  remove(): void {
    this.#listening.abort();
    this.#panel = null;
    this.#clear();
  }

  #build(panel: AnyPanelSettings, font: LoadedFont): void {
    const before = this.#pictures;
    this.#pictures = [];
    this.#clear();
    const layout = panelLayout(panel, font.metrics);
    const { THREE } = this.#aframe;
    const group = new THREE.Group();
    const side = panel.materialSides === "front" ? THREE.FrontSide : THREE.DoubleSide;
    for (const plate of layout.plates) group.add(plateMesh(this.#aframe, plate, side));
    const { buttonBg: color, buttonBgOpacity: opacity } = layout.look;
    this.#plates = layout.buttons.map((button) => {
      const mesh = plateMesh(this.#aframe, { ...button, color, opacity, layer: 0 }, side);
      mesh.position.z = BUTTON_Z_M;
      return mesh;
    });
    for (const plate of this.#plates) group.add(plate);
    this.#pictures = layout.pictures.map((picture) => this.#picture(picture, group));
    // Released last, so that a picture used again stays loaded.
    for (const { release } of before) release();
    if (layout.lines.length > 0) group.add(glyphMesh(this.#aframe, font, layout.lines));
    this.#layout = layout;
    this.#el.setObject3D(PANEL, group);
    if (layout.buttons.length === 0) return;
    this.#keys = new AccessibleButtons(this.#el, layout, {
      onFocus: (button) => this.#show(button),
      onPress: (button) => this.#click(button, null),
    });
  }

  /** Loads a picture through the queue; its plate shows until then. */
  #picture(picture: PanelPicture, group: Three.Group): RequestedTexture {
    let mesh: Three.Mesh | undefined;
    const taken = this.#queue.take(picture.url, () => {
      if (mesh) return;
      mesh = pictureMesh(this.#aframe, picture, taken.texture);
      group.add(mesh);
    });
    return taken;
  }

  #clear(): void {
    this.#layout = null;
    for (const { release } of this.#pictures) release();
    this.#pictures = [];
    this.#queue.clear();
    this.#plates = [];
    this.#keys?.remove();
    this.#keys = null;
    this.#hovered = null;
    this.#pressed.clear();
    const group = this.#el.getObject3D(PANEL);
    if (!group) return;
    this.#el.removeObject3D(PANEL);
    dispose(group);
  }

  /** Finds the button at the ray's hit point. */
  #over(detail: PointerDetail, listener: (button: PanelButton | null, detail: PointerDetail) => void): void {
    if (!detail?.point || !this.#layout) return;
    this.#at.set(...detail.point);
    this.#el.object3D.worldToLocal(this.#at);
    listener(buttonAt(this.#layout, this.#at.x, this.#at.y), detail);
  }

  #forget(): void {
    this.#pressed.clear();
    this.#show(null);
    this.#paint();
  }

  #press(source: RaySourceName, button: PanelButton | null, hovered: PanelButton | null): void {
    if (button) this.#pressed.set(source, button);
    else this.#pressed.delete(source);
    this.#hovered = hovered;
    this.#paint();
  }

  #show(hovered: PanelButton | null): void {
    if (hovered === this.#hovered) return;
    this.#hovered = hovered;
    this.#paint();
  }

  /** Updates the colours of hovered and held buttons. */
  #paint(): void {
    const { look, buttons } = this.#layout ?? {};
    const held = [...this.#pressed.values()];
    buttons?.forEach((button, at) => {
      const plate = this.#plates[at];
      if (!plate || !look) return;
      const isHeld = held.includes(button);
      const color = isHeld ? look.buttonBgSelected : button === this.#hovered ? look.buttonBgHover : look.buttonBg;
      plate.position.z = isHeld ? PRESSED_Z_M : BUTTON_Z_M;
      if (plate.material instanceof this.#aframe.THREE.MeshBasicMaterial) plate.material.color.set(color);
    });
  }

  /** Emits ARENA's event. A press by key is at the button's centre. */
  #click(button: PanelButton, point: PointerDetail["point"] | null): void {
    const at = this.#el.object3D.localToWorld(this.#at.set(button.x, button.y, BUTTON_Z_M));
    const eyes = this.#el.sceneEl?.camera?.getWorldPosition(new this.#aframe.THREE.Vector3());
    const index = button.index === null ? {} : { buttonIndex: button.index };
    const event: ClientEvent = {
      type: "buttonClick",
      target: this.#el.dataset.objectId ?? "",
      targetPosition: point ?? [at.x, at.y, at.z],
      ...(eyes ? { originPosition: [eyes.x, eyes.y, eyes.z] as const } : {}),
      more: { buttonName: button.name, ...index },
    };
    this.#el.emit(CLIENT_EVENT, event, true);
    if (button.index === null) this.#clear();
  }
}

/** Registers `stoa-panel`. */
export function registerPanel(aframe: AFrameAdapter, libraryOf: SceneLibraryLookup): void {
  const fonts = new FontCache(aframe);
  aframe.registerComponent<PanelProps, PanelBehaviour>({
    name: PANEL,
    schema: { panel: { type: "plain", default: null } },
    create: (el) => new PanelBehaviour(aframe, el, { fonts, libraryOf }),
  });
}
