import type { AttemptResult } from "../../ports/storage/email-queue.ts";

/** Returns the reply that explains an attempt's outcome: of a recipient to be tried again, else of one not accepted. */
export function tellingReply(
  recipients: AttemptResult["recipients"],
  outcome: "deferred" | "sent" | "failed",
): string {
  const [first] = recipients;
  const telling = recipients.find(({ state }) =>
    outcome === "deferred" ? state === "deferred" : state !== "accepted",
  );
  return (telling ?? first)?.lastReply ?? "";
}
