export class Impairment {
  constructor(seed: number);
  arrivalMs(nowMs: number): number | undefined;
}
