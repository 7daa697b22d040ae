/** Reads the JSON chunk of a binary glTF, without parsing the rest. */

/** The JSON chunk of a binary glTF; `undefined` if the bytes are no such file. */
export function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.length < 20) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  if (view.getUint32(0, true) !== 0x46546c67 || 20 + length > bytes.length) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  } catch {
    return undefined;
  }
}
