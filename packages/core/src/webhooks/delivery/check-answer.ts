import type { HttpPostResult } from "../../ports/http-sender.ts";

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
  if (kind === "response" && Number.isInteger(status)) {
    const after = Number.isFinite(retryAfter) ? { retryAfter: Number(retryAfter) } : {};
    return { kind, status: Number(status), body: typeof body === "string" ? body : "", ...after, ...told };
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

const isDuration = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;
