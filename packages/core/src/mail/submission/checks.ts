import { checkContent } from "./checks/check-content.ts";
import { checkFiles } from "./checks/check-files.ts";
import { checkSender } from "./checks/check-sender.ts";
import { checkServer } from "./checks/check-server.ts";
import { checkSuppressions } from "./checks/check-suppressions.ts";
import { checkTimes } from "./checks/check-times.ts";
import type { Check, EmailDraft, SubmittingContext } from "./email-draft.ts";

/**
 * Checks before an e-mail is accepted, for every kind of send; a further check is a line here. Their order matters: a
 * check uses what earlier ones decided. What only the accepting transaction can decide (keys, quotas) is in
 * [`decide-submissions.ts`](../acceptance/decide-submissions.ts).
 */
const checks: readonly Check[] = [
  checkTimes,
  checkContent,
  checkSender,
  checkServer,
  checkSuppressions,
  checkFiles,
];

/** Runs all checks on a draft. */
export async function checkDraft(draft: EmailDraft, context: SubmittingContext): Promise<void> {
  for (const check of checks) {
    const pending = check(draft, context);
    if (pending !== undefined) await pending;
  }
}
