import type { ReadContext } from "../../calls/use-case.ts";
import { checkContent } from "./check-content.ts";
import { checkFiles } from "./check-files.ts";
import { checkSender } from "./check-sender.ts";
import { checkServer } from "./check-server.ts";
import { checkSuppressions } from "./check-suppressions.ts";
import { checkTimes } from "./check-times.ts";
import type { Check, EmailDraft } from "./email-draft.ts";

/**
 * What is looked at before an e-mail is accepted, whoever sends it and in whatever number: a further one is a line here. In this order,
 * so that a check finds what those before it decided. What only the transaction of acceptance can tell (keys, quotas) is decided in
 * [`decide-submissions.ts`](./decide-submissions.ts).
 */
const checks: readonly Check[] = [
  checkTimes,
  checkContent,
  checkSender,
  checkServer,
  checkSuppressions,
  checkFiles,
];

/** Puts a draft through all checks. */
export async function checkDraft(
  draft: EmailDraft,
  context: ReadContext<"api_key" | "emails:test" | "campaigns:write">,
): Promise<void> {
  for (const check of checks) {
    const pending = check(draft, context);
    if (pending !== undefined) await pending;
  }
}
