import type { HttpPostResult } from "../../ports/http-sender.ts";
import { toStorableText } from "../rules/storable-text.ts";

type Unchecked = {
  [K in "kind" | "status" | "body" | "retryAfter" | "fault" | "code" | "durationMs"]?: unknown;
};

/**
 * Returns the HTTP sender's result. One of a host's sender in JavaScript may not be what the port says: then it could
 * not be stored, nor those of other endpoints beside it. What can be read of it counts. Throws if that is nothing.
 */
export function checkAnswer(result: HttpPostResult, measuredMs: number): HttpPostResult {
  const { kind, status, body, retryAfter, fault, code, durationMs }: Unchecked = Object(result);
  const told = { durationMs: isDuration(durationMs) ? Math.round(durationMs) : measuredMs };
  if (kind === "response" && isStatus(status)) {
    // From an HTTP date it has fractions, which the times that are stored can't have.
    const after = Number.isFinite(retryAfter) ? { retryAfter: Math.ceil(Number(retryAfter)) } : {};
    const text = typeof body === "string" ? toStorableText(body) : "";
    return { kind, status, body: text, ...after, ...told };
  }
  if (kind === "fault" && typeof fault === "string")
    return {
      kind,
      fault: fault as Extract<HttpPostResult, { kind: "fault" }>["fault"],
      ...(typeof code === "string" ? { code } : {}),
      ...told,
    };
  throw new TypeError("the HTTP sender's result is neither a response with a status nor a fault");
}

/** A status has three digits (RFC 9110 section 15). */
const isStatus = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 999;

const isDuration = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
