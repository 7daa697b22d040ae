/** Exports attribute parsers, start poses and some limits without any rendering, for pages that show scenes as text. */
export { EYE_HEIGHT_M, INPUT_TEXT_LENGTH_MAX, SEAT_TAKEN_M, SITTING_EYES_M, WALK_M_PER_S } from "./limits.ts";
export { landmarkNamed } from "./locomotion/landmarks.ts";
export { PLACES } from "./locomotion/omi-nodes.ts";
export { eyesOf, firstPose, type SpawnPose as StartPlace, startPlace } from "./locomotion/spawn-point.ts";
export { componentSettings } from "./mapping/components.ts";
export { type PanelSettings, panelSettings } from "./mapping/panel.ts";
export { eulerOf } from "./mapping/pose.ts";
export { voiceFadingOf } from "./mapping/voice-fading.ts";
export { bag, finite, flag, type JsonObject as Bag, text, xyz } from "./values.ts";
