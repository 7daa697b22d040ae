/** The refusal reasons that this package checks itself. The realm has more: `spec/topics.md` section 2. */
export type Reason =
  | "bad_topic"
  | "not_json"
  | "not_an_object"
  | "bad_utf8"
  | "too_large"
  | "too_deep"
  | "not_finite"
  | "repeated_key"
  | "id_mismatch"
  | "missing_key"
  | "bad_value"
  | "reserved_key"
  | "not_granted"
  | "wrong_identity";

/** A parsed value, or the reason of its refusal. */
export type ParseResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: Reason };

/** A successful result. */
export function taken<T>(value: T): ParseResult<T> {
  return { ok: true, value };
}

/** A failed result. */
export function refusedFor<T>(reason: Reason): ParseResult<T> {
  return { ok: false, reason };
}
