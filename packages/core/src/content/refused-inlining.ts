import { fieldError, ServiceError } from "../errors.ts";
import type { InlineRefusal } from "./inlining.ts";

/** Returns the error for a content that was not inlined: the field's fault, or a temporary one of the service. */
export function refusedInlining(
  field: string,
  { reason, message, retryAfterMs = 0 }: InlineRefusal,
  prefix = "",
): ServiceError {
  const retryAfter = Math.ceil(retryAfterMs / 1000);
  if (reason === "busy") return new ServiceError("rate_limited", { message, retryAfter });
  if (reason === "unavailable") return new ServiceError("unavailable", { message, retryAfter });
  return fieldError(field, `${prefix}${message}`);
}
