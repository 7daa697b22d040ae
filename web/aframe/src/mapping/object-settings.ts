/** Maps an object's attributes to the settings of A-Frame's components. Pure: no page, no WebGL. */
import { groups, objectTypes } from "@stoa/client/generated";
import { bag, type JsonObject } from "../values.ts";
import { animationSettings } from "./animation.ts";
import { defaultsOf, read, readersOf, type SettingsByComponent } from "./attribute-readers.ts";
import { physicsComponents } from "./body-settings.ts";
import { componentSettings } from "./components.ts";
import { geometrySettings } from "./geometry.ts";
import { lightSettings, lightTarget } from "./light.ts";
import { imageMaterial, materialSettings, withPictures } from "./material.ts";
import { gltfSettings, modelComponents, pcdSettings, splatSettings, threeSettings, urdfSettings } from "./model.ts";
import { panelSettings } from "./panel.ts";
import { poseSettings } from "./pose.ts";
import { textSettings } from "./text.ts";
import { pathSettings } from "./thickline.ts";
import { filmOn, sphereSettings } from "./video.ts";

export { parentOf } from "./pose.ts";

const lineReaders = readersOf("line", objectTypes.line);
const lineDefaults = defaultsOf(objectTypes.line, ["color", "end", "start"]);
const panelReaders = readersOf("panel", groups.panel);
const panelDefaults = defaultsOf(groups.panel, ["depth", "height", "width"]);
const objReaders = readersOf("obj-model", objectTypes["obj-model"]);
const oceanReaders = readersOf("ocean", objectTypes.ocean);
const oceanDefaults = defaultsOf(objectTypes.ocean, Object.keys(oceanReaders));

/** The input of the mapping besides attributes. */
export interface MappingContext {
  /** The page's URL, base of relative URLs. */
  readonly base: string;
}

/** All settings of one object. An unknown `object_type` gets the settings of pose and components, but no shape. */
export function settingsOf(attributes: JsonObject, context: MappingContext): SettingsByComponent {
  return {
    ...withPictures(shapeOf(attributes, context)),
    ...poseSettings(attributes),
    ...animationSettings(attributes, context.base),
    ...componentSettings(attributes, context.base),
    ...modelComponents(attributes, context.base),
    ...physicsComponents(attributes, context.base),
  };
}

function shapeOf(attributes: JsonObject, context: MappingContext): SettingsByComponent {
  const { base } = context;
  switch (attributes.object_type) {
    case "text":
      return { text: textSettings(attributes, base) };
    case "image":
      return { geometry: geometrySettings("plane", attributes, base), ...filmOn(imageMaterial(attributes, base)) };
    case "light":
      return lit(attributes, base);
    case "gltf-model":
      return gltfSettings(attributes, base);
    case "pcd-model":
      return pcdSettings(attributes, base);
    case "urdf-model":
      return urdfSettings(attributes, base);
    case "threejs-scene":
      return threeSettings(attributes, base);
    case "gaussian_splatting":
      return splatSettings(attributes, base);
    case "obj-model":
      return objOf(attributes, base);
    case "line":
      return { line: { ...lineDefaults, ...read(lineReaders, attributes, base) } };
    case "thickline":
      return { "stoa-thickline": pathSettings(attributes, base) };
    case "ocean":
      return { "stoa-ocean": { ...oceanDefaults, ...read(oceanReaders, attributes, base) } };
    case "entity":
      return entityShape(attributes, base);
    case "arenaui-button-panel":
    case "arenaui-card":
    case "arenaui-prompt":
      return { "stoa-panel": panelSettings(attributes.object_type, attributes, base) };
    case "videosphere":
      return sphereSettings(attributes, base);
    default:
      return primitiveShape(attributes.object_type, attributes, base);
  }
}

function primitiveShape(type: unknown, attributes: JsonObject, base: string): SettingsByComponent {
  const geometry = geometrySettings(type, attributes, base);
  return geometry ? { geometry, ...filmOn(materialSettings(attributes, base)) } : {};
}

/** Maps an object of type `entity`, which may carry any of the nested groups. */
function entityShape(attributes: JsonObject, base: string): SettingsByComponent {
  const geometry = bag(attributes.geometry);
  const light = bag(attributes.light);
  const words = bag(attributes.text);
  return {
    ...flatBox(attributes.panel, base),
    ...(geometry ? primitiveShape(geometry.primitive, { ...attributes, ...geometry }, base) : {}),
    ...(light ? lit(light, base) : {}),
    ...(words ? { text: textSettings(words, base) } : {}),
  };
}

/** Maps ARENA's legacy panel to a rounded box of one colour. */
function flatBox(value: unknown, base: string): SettingsByComponent {
  const panel = bag(value);
  if (!panel) return {};
  const geometry = { primitive: "roundedbox", ...panelDefaults, ...read(panelReaders, panel, base) };
  return { geometry, material: { color: "#424470", opacity: 0.9, transparent: true } };
}

function lit(attributes: JsonObject, base: string): SettingsByComponent {
  const target = lightTarget(attributes);
  return {
    light: lightSettings(attributes, base),
    ...(target === undefined ? {} : { "stoa-light-target": { target } }),
  };
}

function objOf(attributes: JsonObject, base: string): SettingsByComponent {
  const model = read(objReaders, attributes, base);
  const { obj, mtl } = model;
  if (obj === undefined) return {};
  const file = { kind: "obj", src: obj, base: mtl ?? "", options: "{}" };
  return { ...(mtl === undefined ? { material: materialSettings(attributes, base) } : {}), "stoa-model": file };
}
