// Generated from spec/objects/*.json by cargo xtask gen. Do not edit.
import { findWrongObject, type Group, type Violation, withoutNulls } from "../attribute-check.ts";
import { animationAttributes } from "./animation.ts";
import { animationMixerAttributes } from "./animation-mixer.ts";
import { anyObjectAttributes } from "./any-object.ts";
import { arHitTestAttributes } from "./ar-hit-test.ts";
import { arenaMessageAttributes } from "./arena-message.ts";
import { arenaUserAttributes } from "./arena-user.ts";
import { type ArenaUiButtonPanel, arenauiButtonPanelAttributes } from "./arenaui-button-panel.ts";
import { type ArenaUiCard, arenauiCardAttributes } from "./arenaui-card.ts";
import { type ArenaUiPrompt, arenauiPromptAttributes } from "./arenaui-prompt.ts";
import { armarkerAttributes } from "./armarker.ts";
import { attributionAttributes } from "./attribution.ts";
import { blipAttributes } from "./blip.ts";
import { bloomAttributes } from "./bloom.ts";
import { type Box, boxAttributes } from "./box.ts";
import { boxCollisionListenerAttributes } from "./box-collision-listener.ts";
import { buttonAttributes } from "./button.ts";
import { type Camera, cameraAttributes } from "./camera.ts";
import { cameraOverrideAttributes } from "./camera-override.ts";
import { type Capsule, capsuleAttributes } from "./capsule.ts";
import { channelAttributes } from "./channel.ts";
import { type Circle, circleAttributes } from "./circle.ts";
import { clickListenerAttributes } from "./click-listener.ts";
import { clickPosAttributes } from "./clickPos.ts";
import { type Cone, coneAttributes } from "./cone.ts";
import { type Cube, cubeAttributes } from "./cube.ts";
import { type Cylinder, cylinderAttributes } from "./cylinder.ts";
import { type Dodecahedron, dodecahedronAttributes } from "./dodecahedron.ts";
import { dynamicBodyAttributes } from "./dynamic-body.ts";
import { type Entity, entityAttributes } from "./entity.ts";
import { envPresetsAttributes } from "./env-presets.ts";
import { eventAttributes } from "./event.ts";
import { fxaaAttributes } from "./fxaa.ts";
import { type GaussianSplatting, gaussianSplattingAttributes } from "./gaussian_splatting.ts";
import { geometryAttributes } from "./geometry.ts";
import { glitchAttributes } from "./glitch.ts";
import { type GltfModel, gltfModelAttributes } from "./gltf-model.ts";
import { gltfModelLodAttributes } from "./gltf-model-lod.ts";
import { gltfMorphAttributes } from "./gltf-morph.ts";
import { gotoLandmarkAttributes } from "./goto-landmark.ts";
import { gotoUrlAttributes } from "./goto-url.ts";
import { type HandLeft, handLeftAttributes } from "./handLeft.ts";
import { type HandRight, handRightAttributes } from "./handRight.ts";
import { headModelAttributes } from "./head-model.ts";
import { type Icosahedron, icosahedronAttributes } from "./icosahedron.ts";
import { type Image, imageAttributes } from "./image.ts";
import { impulseAttributes } from "./impulse.ts";
import { jitsiVideoAttributes } from "./jitsi-video.ts";
import { landmarkAttributes } from "./landmark.ts";
import { type Light, lightAttributes } from "./light.ts";
import { type Line, lineAttributes } from "./line.ts";
import { type LookAt, lookAtAttributes } from "./look-at.ts";
import { materialAttributes } from "./material.ts";
import { materialExtrasAttributes } from "./material-extras.ts";
import { modelContainerAttributes } from "./model-container.ts";
import { modelUpdateAttributes } from "./modelUpdate.ts";
import { multisrcAttributes } from "./multisrc.ts";
import { type ObjModel, objModelAttributes } from "./obj-model.ts";
import { type Ocean, oceanAttributes } from "./ocean.ts";
import { type Octahedron, octahedronAttributes } from "./octahedron.ts";
import { openvpsAttributes } from "./openvps.ts";
import { panelAttributes } from "./panel.ts";
import { type PcdModel, pcdModelAttributes } from "./pcd-model.ts";
import { physicsAttributes } from "./physics.ts";
import { physxBodyAttributes } from "./physx-body.ts";
import { physxForcePushableAttributes } from "./physx-force-pushable.ts";
import { physxJointAttributes } from "./physx-joint.ts";
import { physxJointConstraintAttributes } from "./physx-joint-constraint.ts";
import { physxJointDriverAttributes } from "./physx-joint-driver.ts";
import { physxMaterialAttributes } from "./physx-material.ts";
import { pixelAttributes } from "./pixel.ts";
import { type Plane, planeAttributes } from "./plane.ts";
import { portalAttributes } from "./portal.ts";
import { positionAttributes } from "./position.ts";
import { postProcessingAttributes } from "./post-processing.ts";
import { programAttributes } from "./program.ts";
import { programRunAttributes } from "./program-run.ts";
import { remoteRenderAttributes } from "./remote-render.ts";
import { rendererSettingsAttributes } from "./renderer-settings.ts";
import { type Ring, ringAttributes } from "./ring.ts";
import { rotationAttributes } from "./rotation.ts";
import { type RoundedBox, roundedboxAttributes } from "./roundedbox.ts";
import { saoAttributes } from "./sao.ts";
import { scaleAttributes } from "./scale.ts";
import { sceneOptionsAttributes } from "./scene-options.ts";
import { seatAttributes } from "./seat.ts";
import { shadowAttributes } from "./shadow.ts";
import { smaaAttributes } from "./smaa.ts";
import { soundAttributes } from "./sound.ts";
import { speParticlesAttributes } from "./spe-particles.ts";
import { type Sphere, sphereAttributes } from "./sphere.ts";
import { ssaoAttributes } from "./ssao.ts";
import { staticBodyAttributes } from "./static-body.ts";
import { stoaUserAttributes } from "./stoa-user.ts";
import { type TeleportToLandmark, teleportToLandmarkAttributes } from "./teleport-to-landmark.ts";
import { type TemplateContainer, templateContainerAttributes } from "./templateContainer.ts";
import { type Tetrahedron, tetrahedronAttributes } from "./tetrahedron.ts";
import { type Text, textAttributes } from "./text.ts";
import { textinputAttributes } from "./textinput.ts";
import { type ThickLine, thicklineAttributes } from "./thickline.ts";
import { type ThreejsScene, threejsSceneAttributes } from "./threejs-scene.ts";
import { type Torus, torusAttributes } from "./torus.ts";
import { type TorusKnot, torusKnotAttributes } from "./torusKnot.ts";
import { type Triangle, triangleAttributes } from "./triangle.ts";
import { type UrdfModel, urdfModelAttributes } from "./urdf-model.ts";
import { vector2Attributes } from "./vector2.ts";
import { vector3Attributes } from "./vector3.ts";
import { videoControlAttributes } from "./video-control.ts";
import { type VideoSphere, videosphereAttributes } from "./videosphere.ts";

export type { Animation } from "./animation.ts";
export type { AnimationMixer } from "./animation-mixer.ts";
export type { AnyObject } from "./any-object.ts";
export type { ArHitTest } from "./ar-hit-test.ts";
export type { ArenaMessage } from "./arena-message.ts";
export type { ArenaUser } from "./arena-user.ts";
export type { ArenaUiButtonPanel } from "./arenaui-button-panel.ts";
export type { ArenaUiCard } from "./arenaui-card.ts";
export type { ArenaUiPrompt } from "./arenaui-prompt.ts";
export type { ArMarker } from "./armarker.ts";
export type { Attribution } from "./attribution.ts";
export type { Blip } from "./blip.ts";
export type { Bloom } from "./bloom.ts";
export type { Box } from "./box.ts";
export type { BoxCollisionListener } from "./box-collision-listener.ts";
export type { Button } from "./button.ts";
export type { Camera } from "./camera.ts";
export type { CameraOverride } from "./camera-override.ts";
export type { Capsule } from "./capsule.ts";
export type { Channel } from "./channel.ts";
export type { Circle } from "./circle.ts";
export type { ClickListener } from "./click-listener.ts";
export type { ClickPos } from "./clickPos.ts";
export type { Cone } from "./cone.ts";
export type { Cube } from "./cube.ts";
export type { Cylinder } from "./cylinder.ts";
export type { Dodecahedron } from "./dodecahedron.ts";
export type { DynamicBody } from "./dynamic-body.ts";
export type { Entity } from "./entity.ts";
export type { EnvPresets } from "./env-presets.ts";
export type { ClientEventAttributes } from "./event.ts";
export type { Fxaa } from "./fxaa.ts";
export type { GaussianSplatting } from "./gaussian_splatting.ts";
export type { Geometry } from "./geometry.ts";
export type { Glitch } from "./glitch.ts";
export type { GltfModel } from "./gltf-model.ts";
export type { GltfModelLod } from "./gltf-model-lod.ts";
export type { GltfMorph } from "./gltf-morph.ts";
export type { GotoLandmark } from "./goto-landmark.ts";
export type { GotoUrl } from "./goto-url.ts";
export type { HandLeft } from "./handLeft.ts";
export type { HandRight } from "./handRight.ts";
export type { HeadModel } from "./head-model.ts";
export type { Icosahedron } from "./icosahedron.ts";
export type { Image } from "./image.ts";
export type { Impulse } from "./impulse.ts";
export type { JitsiVideo } from "./jitsi-video.ts";
export type { Landmark } from "./landmark.ts";
export type { Light } from "./light.ts";
export type { Line } from "./line.ts";
export type { LookAt } from "./look-at.ts";
export type { Material } from "./material.ts";
export type { MaterialExtras } from "./material-extras.ts";
export type { ModelContainer } from "./model-container.ts";
export type { ModelUpdate } from "./modelUpdate.ts";
export type { MultiSrc } from "./multisrc.ts";
export type { ObjModel } from "./obj-model.ts";
export type { Ocean } from "./ocean.ts";
export type { Octahedron } from "./octahedron.ts";
export type { OpenVps } from "./openvps.ts";
export type { Panel } from "./panel.ts";
export type { PcdModel } from "./pcd-model.ts";
export type { Physics } from "./physics.ts";
export type { PhysxBody } from "./physx-body.ts";
export type { PhysxForcePushable } from "./physx-force-pushable.ts";
export type { PhysxJoint } from "./physx-joint.ts";
export type { PhysxJointConstraint } from "./physx-joint-constraint.ts";
export type { PhysxJointDriver } from "./physx-joint-driver.ts";
export type { PhysxMaterial } from "./physx-material.ts";
export type { Pixel } from "./pixel.ts";
export type { Plane } from "./plane.ts";
export type { Portal } from "./portal.ts";
export type { Position } from "./position.ts";
export type { PostProcessing } from "./post-processing.ts";
export type { Program } from "./program.ts";
export type { ProgramRun } from "./program-run.ts";
export type { RemoteRender } from "./remote-render.ts";
export type { RendererSettings } from "./renderer-settings.ts";
export type { Ring } from "./ring.ts";
export type { Rotation } from "./rotation.ts";
export type { RoundedBox } from "./roundedbox.ts";
export type { Sao } from "./sao.ts";
export type { Scale } from "./scale.ts";
export type { SceneOptions } from "./scene-options.ts";
export type { Seat } from "./seat.ts";
export type { Shadow } from "./shadow.ts";
export type { Smaa } from "./smaa.ts";
export type { Sound } from "./sound.ts";
export type { SpeParticles } from "./spe-particles.ts";
export type { Sphere } from "./sphere.ts";
export type { Ssao } from "./ssao.ts";
export type { StaticBody } from "./static-body.ts";
export type { StoaUser } from "./stoa-user.ts";
export type { TeleportToLandmark } from "./teleport-to-landmark.ts";
export type { TemplateContainer } from "./templateContainer.ts";
export type { Tetrahedron } from "./tetrahedron.ts";
export type { Text } from "./text.ts";
export type { TextInput } from "./textinput.ts";
export type { ThickLine } from "./thickline.ts";
export type { ThreejsScene } from "./threejs-scene.ts";
export type { Torus } from "./torus.ts";
export type { TorusKnot } from "./torusKnot.ts";
export type { Triangle } from "./triangle.ts";
export type { UrdfModel } from "./urdf-model.ts";
export type { Vector2 } from "./vector2.ts";
export type { Vector3 } from "./vector3.ts";
export type { VideoControl } from "./video-control.ts";
export type { VideoSphere } from "./videosphere.ts";

/** An object's attributes (`data` of a message), by `object_type`. */
export type SceneAttributes =
  | ArenaUiButtonPanel
  | ArenaUiCard
  | ArenaUiPrompt
  | Box
  | Camera
  | Capsule
  | Circle
  | Cone
  | Cube
  | Cylinder
  | Dodecahedron
  | Entity
  | GaussianSplatting
  | GltfModel
  | HandLeft
  | HandRight
  | Icosahedron
  | Image
  | Light
  | Line
  | LookAt
  | ObjModel
  | Ocean
  | Octahedron
  | PcdModel
  | Plane
  | Ring
  | RoundedBox
  | Sphere
  | TeleportToLandmark
  | TemplateContainer
  | Tetrahedron
  | Text
  | ThickLine
  | ThreejsScene
  | Torus
  | TorusKnot
  | Triangle
  | UrdfModel
  | VideoSphere;

/** A known value of `object_type`. */
export type ObjectType = SceneAttributes["object_type"];

/** Description of each object type. */
export const objectTypes: Readonly<Record<ObjectType, Group>> = {
  "arenaui-button-panel": arenauiButtonPanelAttributes,
  "arenaui-card": arenauiCardAttributes,
  "arenaui-prompt": arenauiPromptAttributes,
  box: boxAttributes,
  camera: cameraAttributes,
  capsule: capsuleAttributes,
  circle: circleAttributes,
  cone: coneAttributes,
  cube: cubeAttributes,
  cylinder: cylinderAttributes,
  dodecahedron: dodecahedronAttributes,
  entity: entityAttributes,
  gaussian_splatting: gaussianSplattingAttributes,
  "gltf-model": gltfModelAttributes,
  handLeft: handLeftAttributes,
  handRight: handRightAttributes,
  icosahedron: icosahedronAttributes,
  image: imageAttributes,
  light: lightAttributes,
  line: lineAttributes,
  "look-at": lookAtAttributes,
  "obj-model": objModelAttributes,
  ocean: oceanAttributes,
  octahedron: octahedronAttributes,
  "pcd-model": pcdModelAttributes,
  plane: planeAttributes,
  ring: ringAttributes,
  roundedbox: roundedboxAttributes,
  sphere: sphereAttributes,
  "teleport-to-landmark": teleportToLandmarkAttributes,
  templateContainer: templateContainerAttributes,
  tetrahedron: tetrahedronAttributes,
  text: textAttributes,
  thickline: thicklineAttributes,
  "threejs-scene": threejsSceneAttributes,
  torus: torusAttributes,
  torusKnot: torusKnotAttributes,
  triangle: triangleAttributes,
  "urdf-model": urdfModelAttributes,
  videosphere: videosphereAttributes,
};

/** Descriptions of all schemas besides object types: components, values, options, messages. */
export const groups = {
  animation: animationAttributes,
  "animation-mixer": animationMixerAttributes,
  "any-object": anyObjectAttributes,
  "ar-hit-test": arHitTestAttributes,
  "arena-message": arenaMessageAttributes,
  "arena-user": arenaUserAttributes,
  armarker: armarkerAttributes,
  attribution: attributionAttributes,
  blip: blipAttributes,
  bloom: bloomAttributes,
  "box-collision-listener": boxCollisionListenerAttributes,
  button: buttonAttributes,
  "camera-override": cameraOverrideAttributes,
  channel: channelAttributes,
  "click-listener": clickListenerAttributes,
  clickPos: clickPosAttributes,
  "dynamic-body": dynamicBodyAttributes,
  "env-presets": envPresetsAttributes,
  event: eventAttributes,
  fxaa: fxaaAttributes,
  geometry: geometryAttributes,
  glitch: glitchAttributes,
  "gltf-model-lod": gltfModelLodAttributes,
  "gltf-morph": gltfMorphAttributes,
  "goto-landmark": gotoLandmarkAttributes,
  "goto-url": gotoUrlAttributes,
  "head-model": headModelAttributes,
  impulse: impulseAttributes,
  "jitsi-video": jitsiVideoAttributes,
  landmark: landmarkAttributes,
  material: materialAttributes,
  "material-extras": materialExtrasAttributes,
  "model-container": modelContainerAttributes,
  modelUpdate: modelUpdateAttributes,
  multisrc: multisrcAttributes,
  openvps: openvpsAttributes,
  panel: panelAttributes,
  physics: physicsAttributes,
  "physx-body": physxBodyAttributes,
  "physx-force-pushable": physxForcePushableAttributes,
  "physx-joint": physxJointAttributes,
  "physx-joint-constraint": physxJointConstraintAttributes,
  "physx-joint-driver": physxJointDriverAttributes,
  "physx-material": physxMaterialAttributes,
  pixel: pixelAttributes,
  portal: portalAttributes,
  position: positionAttributes,
  "post-processing": postProcessingAttributes,
  program: programAttributes,
  "program-run": programRunAttributes,
  "remote-render": remoteRenderAttributes,
  "renderer-settings": rendererSettingsAttributes,
  rotation: rotationAttributes,
  sao: saoAttributes,
  scale: scaleAttributes,
  "scene-options": sceneOptionsAttributes,
  seat: seatAttributes,
  shadow: shadowAttributes,
  smaa: smaaAttributes,
  sound: soundAttributes,
  "spe-particles": speParticlesAttributes,
  ssao: ssaoAttributes,
  "static-body": staticBodyAttributes,
  "stoa-user": stoaUserAttributes,
  textinput: textinputAttributes,
  vector2: vector2Attributes,
  vector3: vector3Attributes,
  "video-control": videoControlAttributes,
} satisfies Readonly<Record<string, Group>>;

/** Result of {@link decodeAttributes}. */
export type Decoded =
  | { readonly ok: true; readonly value: SceneAttributes }
  | { readonly ok: false; readonly path: string; readonly reason: Violation["reason"] };

/**
 * Checks and decodes attributes. `null` means absent and is omitted; required keys may be absent; unknown keys are
 * kept. A failure names the first value that has a wrong type, is not allowed, or is out of range.
 */
export function decodeAttributes(value: unknown): Decoded {
  const wrong = findWrongObject(objectTypes, value);
  if (wrong !== undefined) {
    return { ok: false, path: wrong.path, reason: wrong.reason };
  }
  const attributes = withoutNulls(value);
  return conforms(attributes) ? { ok: true, value: attributes } : { ok: false, path: "", reason: "wrong type" };
}

function conforms(value: unknown): value is SceneAttributes {
  return findWrongObject(objectTypes, value) === undefined;
}
