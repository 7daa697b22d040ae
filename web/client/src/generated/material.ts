// Generated from spec/objects/material.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Vector2, vector2Attributes } from "./vector2.ts";

/** Look of the surface. */
export interface Material {
  /** Pixels that are less opaque than this are not drawn. Range: 0 to 1. Default `0`. */
  readonly alphaTest?: number;
  /** Address of the texture of shaded corners. */
  readonly ambientOcclusionMap?: string;
  /** Strength of the texture of shaded corners. Range: at least 0. Default `1`. */
  readonly ambientOcclusionMapIntensity?: number;
  /** Offset of the texture of shaded corners. Default `{"x":0,"y":0}`. */
  readonly ambientOcclusionTextureOffset?: Vector2;
  /** Repetitions of the texture of shaded corners each way. Default `{"x":1,"y":1}`. */
  readonly ambientOcclusionTextureRepeat?: Vector2;
  /** Samples of the texture at a slant; 0 is the renderer's choice. Range: at least 0. Default `0`. */
  readonly anisotropy?: number;
  /** Blending of the colour with the background. Default `"normal"`. */
  readonly blending?: "none" | "normal" | "additive" | "subtractive" | "multiply";
  /** Address of the texture of heights, for shading only. */
  readonly bumpMap?: string;
  /** Strength of the texture of heights. Default `1`. */
  readonly bumpMapScale?: number;
  /** Offset of the texture of heights for shading. Default `{"x":0,"y":0}`. */
  readonly bumpTextureOffset?: Vector2;
  /** Repetitions of the texture of heights for shading each way. Default `{"x":1,"y":1}`. */
  readonly bumpTextureRepeat?: Vector2;
  /** Colour of the surface. Default `"#FFF"`. */
  readonly color?: string;
  /** Mixing of the surroundings' reflection with the colour. Default `"mix"`. */
  readonly combine?: "mix" | "add" | "multiply";
  /** Whether closer objects hide it. Default `true`. */
  readonly depthTest?: boolean;
  /** Whether it hides objects behind it. Default `true`. */
  readonly depthWrite?: boolean;
  /** Offset of the displacement. Default `0.5`. */
  readonly displacementBias?: number;
  /** Address of the texture of heights that moves the surface. */
  readonly displacementMap?: string;
  /** Distance by which that texture moves the surface. Default `1`. */
  readonly displacementScale?: number;
  /** Offset of the texture of heights that move the surface. Default `{"x":0,"y":0}`. */
  readonly displacementTextureOffset?: Vector2;
  /** Repetitions of the texture of heights that move the surface each way. Default `{"x":1,"y":1}`. */
  readonly displacementTextureRepeat?: Vector2;
  /** Whether noise hides steps between colours. Default `true`. */
  readonly dithering?: boolean;
  /** Colour of the surface's own light. Default `"#000000"`. */
  readonly emissive?: string;
  /** Strength of the surface's own light. Range: at least 0. Default `1`. */
  readonly emissiveIntensity?: number;
  /** Address of the picture of the surroundings. Default `""`. */
  readonly envMap?: string;
  /** Whether faces are drawn flat. Default `false`. */
  readonly flatShading?: boolean;
  /** Whether fog falls on it. Default `true`. */
  readonly fog?: boolean;
  /** Metalness. Range: 0 to 1. Default `0`. */
  readonly metalness?: number;
  /** Address of the texture of metalness. */
  readonly metalnessMap?: string;
  /** Offset of the texture of metalness. Default `{"x":0,"y":0}`. */
  readonly metalnessTextureOffset?: Vector2;
  /** Repetitions of the texture of metalness each way. Default `{"x":1,"y":1}`. */
  readonly metalnessTextureRepeat?: Vector2;
  /** Address of the texture of normals. */
  readonly normalMap?: string;
  /** Strength of that texture, both ways. Default `{"x":1,"y":1}`. */
  readonly normalScale?: Vector2;
  /** Offset of the texture of normals. Default `{"x":0,"y":0}`. */
  readonly normalTextureOffset?: Vector2;
  /** Repetitions of the texture of normals each way. Default `{"x":1,"y":1}`. */
  readonly normalTextureRepeat?: Vector2;
  /** Whether the texture's size need not be a power of two. Default `false`. */
  readonly npot?: boolean;
  /** Offset of the texture. Default `{"x":0,"y":0}`. */
  readonly offset?: Vector2;
  /** Opacity: 0 is invisible, 1 is opaque; needs `transparent`. Range: 0 to 1. Default `1`. */
  readonly opacity?: number;
  /** Strength of the reflection of the surroundings. Range: 0 to 1. Default `0.9`. */
  readonly reflectivity?: number;
  /** Whether it bends light instead of reflecting it. Default `false`. */
  readonly refract?: boolean;
  /** Refraction of light. Range: 0 to 1. Default `0.98`. */
  readonly refractionRatio?: number;
  /** Repetitions of the texture each way. Default `{"x":1,"y":1}`. */
  readonly repeat?: Vector2;
  /** Roughness. Range: 0 to 1. Default `0.5`. */
  readonly roughness?: number;
  /** Address of the texture of roughness. */
  readonly roughnessMap?: string;
  /** Offset of the texture of roughness. Default `{"x":0,"y":0}`. */
  readonly roughnessTextureOffset?: Vector2;
  /** Repetitions of the texture of roughness each way. Default `{"x":1,"y":1}`. */
  readonly roughnessTextureRepeat?: Vector2;
  /** Lighting model. Default `"standard"`. */
  readonly shader?: "flat" | "standard" | "phong";
  /** Size of highlights, for `phong`: larger values make them smaller. Range: at least 0. Default `30`. */
  readonly shininess?: number;
  /** Drawn sides of its faces. Default `"front"`. */
  readonly side?: "front" | "back" | "double";
  /** Colour of highlights, for `phong`. Default `"#111111"`. */
  readonly specular?: string;
  /** Address of a round picture of the surroundings. */
  readonly sphericalEnvMap?: string;
  /** Address of the picture or video on the surface. */
  readonly src?: string;
  /** Whether brightness is fitted to the screen. Default `true`. */
  readonly toneMapped?: boolean;
  /** Whether `opacity` makes it transparent. Default `false`. */
  readonly transparent?: boolean;
  /** Whether the mesh's own colours are used. Default `false`. */
  readonly vertexColorsEnabled?: boolean;
  /** Whether it is drawn. Default `true`. */
  readonly visible?: boolean;
  /** Whether only edges are drawn. Default `false`. */
  readonly wireframe?: boolean;
  /** Width of those edges. In px. Range: at least 0. Default `2`. */
  readonly wireframeLinewidth?: number;
}

/** The schema's description of each attribute of {@link Material}. */
export const materialAttributes: Group = {
  attributes: {
    alphaTest: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0 },
    ambientOcclusionMap: { shape: { kind: "text" }, format: "uri-reference" },
    ambientOcclusionMapIntensity: { shape: { kind: "number", minimum: 0 }, default: 1 },
    ambientOcclusionTextureOffset: { shape: { kind: "group", group: vector2Attributes }, default: { x: 0, y: 0 } },
    ambientOcclusionTextureRepeat: { shape: { kind: "group", group: vector2Attributes }, default: { x: 1, y: 1 } },
    anisotropy: { shape: { kind: "number", minimum: 0 }, default: 0 },
    blending: { shape: { kind: "text", values: ["none", "normal", "additive", "subtractive", "multiply"] }, default: "normal" },
    bumpMap: { shape: { kind: "text" }, format: "uri-reference" },
    bumpMapScale: { shape: { kind: "number" }, default: 1 },
    bumpTextureOffset: { shape: { kind: "group", group: vector2Attributes }, default: { x: 0, y: 0 } },
    bumpTextureRepeat: { shape: { kind: "group", group: vector2Attributes }, default: { x: 1, y: 1 } },
    color: { shape: { kind: "text" }, default: "#FFF", format: "color" },
    combine: { shape: { kind: "text", values: ["mix", "add", "multiply"] }, default: "mix" },
    depthTest: { shape: { kind: "boolean" }, default: true },
    depthWrite: { shape: { kind: "boolean" }, default: true },
    displacementBias: { shape: { kind: "number" }, default: 0.5 },
    displacementMap: { shape: { kind: "text" }, format: "uri-reference" },
    displacementScale: { shape: { kind: "number" }, default: 1 },
    displacementTextureOffset: { shape: { kind: "group", group: vector2Attributes }, default: { x: 0, y: 0 } },
    displacementTextureRepeat: { shape: { kind: "group", group: vector2Attributes }, default: { x: 1, y: 1 } },
    dithering: { shape: { kind: "boolean" }, default: true },
    emissive: { shape: { kind: "text" }, default: "#000000", format: "color" },
    emissiveIntensity: { shape: { kind: "number", minimum: 0 }, default: 1 },
    envMap: { shape: { kind: "text" }, default: "", format: "uri-reference" },
    flatShading: { shape: { kind: "boolean" }, default: false },
    fog: { shape: { kind: "boolean" }, default: true },
    metalness: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0 },
    metalnessMap: { shape: { kind: "text" }, format: "uri-reference" },
    metalnessTextureOffset: { shape: { kind: "group", group: vector2Attributes }, default: { x: 0, y: 0 } },
    metalnessTextureRepeat: { shape: { kind: "group", group: vector2Attributes }, default: { x: 1, y: 1 } },
    normalMap: { shape: { kind: "text" }, format: "uri-reference" },
    normalScale: { shape: { kind: "group", group: vector2Attributes }, default: { x: 1, y: 1 } },
    normalTextureOffset: { shape: { kind: "group", group: vector2Attributes }, default: { x: 0, y: 0 } },
    normalTextureRepeat: { shape: { kind: "group", group: vector2Attributes }, default: { x: 1, y: 1 } },
    npot: { shape: { kind: "boolean" }, default: false },
    offset: { shape: { kind: "group", group: vector2Attributes }, default: { x: 0, y: 0 } },
    opacity: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 1 },
    reflectivity: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0.9 },
    refract: { shape: { kind: "boolean" }, default: false },
    refractionRatio: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0.98 },
    repeat: { shape: { kind: "group", group: vector2Attributes }, default: { x: 1, y: 1 } },
    roughness: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0.5 },
    roughnessMap: { shape: { kind: "text" }, format: "uri-reference" },
    roughnessTextureOffset: { shape: { kind: "group", group: vector2Attributes }, default: { x: 0, y: 0 } },
    roughnessTextureRepeat: { shape: { kind: "group", group: vector2Attributes }, default: { x: 1, y: 1 } },
    shader: { shape: { kind: "text", values: ["flat", "standard", "phong"] }, default: "standard" },
    shininess: { shape: { kind: "number", minimum: 0 }, default: 30 },
    side: { shape: { kind: "text", values: ["front", "back", "double"] }, default: "front" },
    specular: { shape: { kind: "text" }, default: "#111111", format: "color" },
    sphericalEnvMap: { shape: { kind: "text" }, format: "uri-reference" },
    src: { shape: { kind: "text" }, format: "uri-reference" },
    toneMapped: { shape: { kind: "boolean" }, default: true },
    transparent: { shape: { kind: "boolean" }, default: false },
    vertexColorsEnabled: { shape: { kind: "boolean" }, default: false },
    visible: { shape: { kind: "boolean" }, default: true },
    wireframe: { shape: { kind: "boolean" }, default: false },
    wireframeLinewidth: { shape: { kind: "integer", minimum: 0 }, default: 2, unit: "px" },
  },
  prefixes: {
  },
};
