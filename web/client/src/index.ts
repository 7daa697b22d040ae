/** Client library for Stoa realms, without DOM and three.js. {@link enterScene} is its entry point. */

export type {
  AccountLink,
  Bar,
  Belongings,
  Invitation,
  InvitationRequest as InvitationWish,
  ListeningClient,
  Moderation,
  ModerationRequest as ModerationWish,
  Warrant,
} from "./access.ts";
export { Doors } from "./access.ts";
export {
  type Account,
  type Admission,
  type AdmissionRequest,
  Api,
  type Fetch,
  type SceneSettings,
  type SceneSummary,
} from "./api.ts";
export {
  type Attribute,
  findAttribute,
  findWrong,
  type Group,
  type Shape,
  type Violation as Wrong,
} from "./attribute-check.ts";
export { type Clock, systemClock } from "./clock.ts";
export type { Connect, Connection, ConnectRequest, Ended, Outgoing } from "./connection.ts";
export { type EnterOptions, enterScene } from "./enter-scene.ts";
export { type Envelope, parseEnvelope } from "./envelope.ts";
export { ApiError, ClosedError, type Hindrance, hindranceOf, LostError, RefusedError, wordsOf } from "./errors.ts";
export type { History, HistoryEntry, HistoryQuery, Restored, RestoreRequest } from "./history.ts";
export { changedKeys, mergeAttributes } from "./merge.ts";
export { MotionFeed } from "./motion/feed.ts";
export type {
  MotionTransport as Way,
  MotionTransports as Ways,
  OpenTransport as OpenWay,
  TransportKind as WayKind,
  TransportListener as WayListener,
} from "./motion/transport.ts";
export type {
  CapturedUnit,
  ReceivedUnit,
  UplinkState,
  VoicePortReport,
  VoicePortRequest,
} from "./motion/voice-link.ts";
export { colorOf } from "./payloads.ts";
export { accountOf, IDLE, shownName } from "./people.ts";
export type { Reason } from "./reason.ts";
export { type Delivery, type ReplicaEvent, SceneReplica, type StreamPosition as Place } from "./replica.ts";
export { rotated } from "./rotation.ts";
export type { Snapshot } from "./snapshot.ts";
export {
  isName,
  isSceneName,
  parseSceneTopic,
  type SceneTopic,
  sceneFilters,
  sceneTopic,
  type TopicKind as Kind,
} from "./topic.ts";
export type * from "./types.ts";
export type { Appearance as Looks } from "./types.ts";
export { UndoStack } from "./undo-stack.ts";
