import { ServiceError } from "../../../errors.ts";
import type { Suppression } from "../../../ports/storage.ts";

/** The refusal of a mail to these suppressed addresses alone. */
export function allSuppressed(suppressed: ReadonlyMap<string, Suppression>): ServiceError {
  const recipients = [...suppressed].map(([address, { scope, origin, createdAt }]) => ({
    address,
    scope,
    origin,
    since: new Date(createdAt).toISOString(),
  }));
  return new ServiceError("all_recipients_suppressed", { details: { recipients } });
}
