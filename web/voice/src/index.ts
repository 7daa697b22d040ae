/** The sound of a scene's voices: capture, Opus, playout, space. {@link VoiceEngine} is its entry point. */

export { DEFAULT_FADING, type VoiceFading } from "./sound/loudness.ts";
export type { MicrophoneDevice } from "./sound/microphone.ts";
export type { MutedDeviceUse, TalkState } from "./sound/own-voice.ts";
export { VoiceEngine, type VoiceEngineOptions } from "./sound/voice-engine.ts";
export { VoiceError, type VoiceHindrance } from "./sound/voice-error.ts";
export type { VoiceSpace } from "./sound/voice-space.ts";
