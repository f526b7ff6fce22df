import { type FieldFault, ServiceError } from "../../errors.ts";
import type { SkippedEmail } from "../../ports/storage.ts";
import type { CheckedItem } from "./check-batch.ts";
import type { RequestedBatch } from "./read-batch.ts";

/** Maximum number of faults listed one by one; the others are only counted. */
const maxTold = 100;

/**
 * Returns why an item has no e-mail: `recipient_suppressed`, or the codes with which a single send would be refused.
 */
export function skippedOf(
  { item, reasons, isSuppressed, draft }: CheckedItem,
  list: RequestedBatch["list"],
): SkippedEmail[] {
  const { index, to, key } = item;
  const where = { index, to, ...(key === undefined ? {} : { key }) };
  if (reasons.length === 0 && isSuppressed) {
    const entry = draft?.reasons.find(({ code }) => code === "all_recipients_suppressed");
    const message = "The address is suppressed: nothing is sent to it.";
    return [{ ...where, code: "recipient_suppressed", message, details: entry?.details }];
  }
  return reasons.map((reason) => {
    const faults = faultsOf(reason, `${list}.${index}`);
    const details = reason.code === "validation_failed" ? faults : reason.details;
    return {
      ...where,
      code: reason.code,
      message: reason.message,
      ...(details === undefined ? {} : { details }),
    };
  });
}

/** Makes the error that refuses a batch, with the first hundred faults of its items one by one. */
export function refusalOf(items: readonly CheckedItem[], list: RequestedBatch["list"]): ServiceError {
  const faults = items.flatMap(({ item, reasons }) =>
    reasons.flatMap((reason) => faultsOf(reason, `${list}.${item.index}`)),
  );
  const codes = new Set(items.flatMap(({ reasons }) => reasons.map(({ code }) => code)));
  const [only = "validation_failed"] = codes;
  const [first] = faults;
  const more = faults.length - maxTold;
  const rest = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return new ServiceError(codes.size > 1 || only === "not_found" ? "validation_failed" : only, {
    message: `${first?.path}: ${first?.message}${rest}`,
    details: faults.slice(0, maxTold),
    ...(more > 0 ? { more } : {}),
  });
}

/** Returns a reason's faults, with paths from the root of the request. */
function faultsOf({ code, message, details }: ServiceError, path: string): FieldFault[] {
  if (code === "validation_failed" && Array.isArray(details))
    return details.map((fault) => ({
      path: fault.path === "" ? path : `${path}.${fault.path}`,
      message: fault.message,
    }));
  return [{ path, message, code, ...(details === undefined || Array.isArray(details) ? {} : { details }) }];
}
