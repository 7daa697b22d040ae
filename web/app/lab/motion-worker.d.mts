import type { Page, Worker } from "playwright-core";

export function probeMotionWorker<T>(
  page: Page,
  probes: readonly ((argument: T) => void)[],
  argument: T,
): Promise<void>;
export function motionWorker(page: Page): Worker | undefined;
export function throughProxy(port: string): void;
export function countSockets(): void;
export function openedSockets(page: Page): Promise<number>;
