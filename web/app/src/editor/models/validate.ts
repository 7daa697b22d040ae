/** Reads a model's errors from the Khronos validator. */
import { validateBytes } from "gltf-validator";

/** The validator's severity for violations of the standard. */
const ERROR = 0;

/** The errors of a binary glTF, for people; empty if there are none. Warnings are left out. */
export async function faultsOf(bytes: Uint8Array): Promise<readonly string[]> {
  const options = { maxIssues: 500, writeTimestamp: false, severityOverrides: TOLERATED };
  const { issues } = await validateBytes(bytes, options);
  const errors = issues.messages.filter(({ severity }) => severity === ERROR);
  return errors.map(({ message, pointer }) => (pointer === undefined ? message : `${message} (${pointer})`));
}

/** Issues that widely used exporters cause and every viewer tolerates. Their severity is set to information. */
const TOLERATED: Readonly<Record<string, number>> = {
  ACCESSOR_MAX_MISMATCH: 2,
  ACCESSOR_MIN_MISMATCH: 2,
  ACCESSOR_VECTOR3_NON_UNIT: 2,
  ACCESSOR_INVALID_SIGN: 2,
  MESH_PRIMITIVE_TANGENT_SPACE_MISMATCH: 2,
  MESH_PRIMITIVE_GENERATED_TANGENT_SPACE: 2,
  IMAGE_DATA_INVALID: 2,
  IMAGE_MIME_TYPE_INVALID: 2,
  UNEXPECTED_PROPERTY: 2,
  BUFFER_VIEW_TARGET_MISSING: 2,
};
