/** The links between a plane's connections and the sound of voices. They outlast each connection. */
import type { FlowRights } from "../types.ts";
import { OutgoingVoice } from "./outgoing-voice.ts";
import type {
  CapturedUnit,
  PlayerLink,
  ReceivedUnit,
  SourceLink,
  UplinkState,
  VoicePortReport,
  VoicePortRequest,
} from "./voice-link.ts";

/** The voices of one plane. */
export class PlaneVoices {
  /** Sends a unit on the present connection. */
  readonly #send: (voice: OutgoingVoice, unit: CapturedUnit) => void;
  #rights: FlowRights | null = null;
  #player: PlayerLink | undefined;
  #source: SourceLink | undefined;

  constructor(send: (voice: OutgoingVoice, unit: CapturedUnit) => void) {
    this.#send = send;
  }

  set rights(rights: FlowRights | null) {
    this.#rights = rights;
  }

  /** How many voices this client takes at once. */
  get hears(): number {
    return this.#rights?.hear === true ? (this.#player?.voices ?? 0) : 0;
  }

  /** Sends voices to a player, in place of an earlier one. */
  hear(player: PlayerLink | undefined): void {
    this.#player?.port.close();
    this.#player = player;
  }

  /** Takes units from a source, in place of an earlier one. */
  speak(source: SourceLink | undefined): void {
    this.#source?.port.close();
    this.#source = source;
    if (source === undefined) return;
    const voice = new OutgoingVoice(source.epoch);
    source.port.onmessage = ({ data }: MessageEvent<VoicePortRequest>) => {
      if (this.#rights?.speak === true) this.#send(voice, data.unit);
    };
  }

  handleUnit(unit: ReceivedUnit): void {
    const report: VoicePortReport = { unit };
    this.#player?.port.postMessage(report, [unit.payload.buffer]);
  }

  handleUplink(uplink: UplinkState): void {
    const report: VoicePortReport = { uplink };
    this.#source?.port.postMessage(report);
  }

  close(): void {
    this.hear(undefined);
    this.speak(undefined);
  }
}
