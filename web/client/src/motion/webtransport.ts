/** Carries motion frames by WebTransport, one in each datagram. */
import { type Clock, evenClock } from "../clock.ts";
import { MOTION_VOICE_AGE_MS_MAX } from "../limits.ts";
import type { MotionTransport, MotionTransports } from "./transport.ts";
import { UpwardQueue } from "./upward-queue.ts";

/** Opens WebTransport. A self-signed certificate of the realm is verified by its hash. */
export const openWebTransport: NonNullable<MotionTransports["webTransport"]> = async (offer, listener, signal) => {
  const serverCertificateHashes = offer.certificateHashes.map((value) => ({ algorithm: "sha-256", value }));
  const options = serverCertificateHashes.length === 0 ? {} : { serverCertificateHashes };
  const transport = new WebTransport(offer.url, { congestionControl: "low-latency", ...options });
  const over = transport.closed.then(
    () => undefined,
    () => undefined,
  );
  signal.addEventListener("abort", () => transport.close(), { once: true });
  await transport.ready;
  void over.then(listener.onEnded);
  read(transport.datagrams.readable.getReader(), listener.onFrame).catch(() => transport.close());
  return datagramsOf(transport);
};

async function read(reader: ReadableStreamDefaultReader<Uint8Array>, onFrame: (bytes: Uint8Array) => void) {
  for (let next = await reader.read(); !next.done; next = await reader.read()) onFrame(next.value);
}

/** The standard's present form of a datagram stream, which TypeScript's types lack. */
interface CreatesWritable {
  readonly createWritable?: () => WritableStream<Uint8Array>;
}

/** Safari 26.4 and Firefox 155 have `createWritable` and no `writable`. */
function writableOf(datagrams: WebTransportDatagramDuplexStream & CreatesWritable): WritableStream<Uint8Array> {
  return datagrams.createWritable?.() ?? datagrams.writable;
}

function datagramsOf(transport: WebTransport): MotionTransport {
  const { datagrams } = transport;
  // Frames in the browser's own queue age too.
  if ("outgoingMaxAge" in datagrams) datagrams.outgoingMaxAge = MOTION_VOICE_AGE_MS_MAX;
  const writer = writableOf(datagrams).getWriter();
  return { send: datagramSender(writer, evenClock), close: () => transport.close() };
}

/** Writes one frame after the other: a stream would otherwise queue poses in front of voice. */
export function datagramSender(
  writer: Pick<WritableStreamDefaultWriter<Uint8Array>, "write">,
  clock: Clock,
): MotionTransport["send"] {
  const queue = new UpwardQueue();
  let isWriting = false;
  const drain = () => {
    const frame = isWriting ? undefined : queue.take(clock.now());
    if (frame === undefined) return;
    isWriting = true;
    writer.write(frame).then(settled, settled);
  };
  const settled = () => {
    isWriting = false;
    drain();
  };
  return (frame, frameClass) => {
    queue.put(frame, frameClass, clock.now());
    drain();
  };
}
