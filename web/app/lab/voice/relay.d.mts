/** The address of a peer. */
export interface RelayPeer {
  readonly host: string;
  readonly port: number;
}

export type RelayEnd = "near" | "far";

/** Datagrams that arrived at an end, and those of them that were lost. */
export interface RelayCounts {
  readonly arrived: number;
  readonly lost: number;
}

export interface RelayLeg {
  readonly ports: Readonly<Record<RelayEnd, number>>;
  readonly impair: (end: RelayEnd, seed: number | null) => Promise<void>;
  readonly counts: () => Promise<Readonly<Record<RelayEnd, RelayCounts>>>;
}

export class DatagramRelay {
  constructor(core: number);
  open(peers?: Partial<Record<RelayEnd, RelayPeer>>): Promise<RelayLeg>;
  close(): void;
}
