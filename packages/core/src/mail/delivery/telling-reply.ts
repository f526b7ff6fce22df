import type { AttemptResult } from "../../ports/storage.ts";

/**
 * Returns the reply that explains an attempt's outcome: of a recipient to be tried again, else of one not accepted. Those
 * who were left out as suppressed had none.
 */
export function tellingReply(
  recipients: AttemptResult["recipients"],
  outcome: "deferred" | "sent" | "failed",
): string {
  const tried = recipients.filter(({ state }) => state !== "suppressed");
  const [first] = tried;
  const telling = tried.find(({ state }) =>
    outcome === "deferred" ? state === "deferred" : state !== "accepted",
  );
  return (telling ?? first)?.lastReply ?? "";
}
