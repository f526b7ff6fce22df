import type { CommandContext } from "../program/connection/command-context.ts";
import { operatorCall } from "../program/connection/operator-call.ts";
import type { Register } from "../program/verbs/register.ts";
import { readable } from "../terminal/report-done.ts";

export const register: Register = (command, act) => {
  command
    .description(
      "Run after pg_restore, or at the end of logical replication, and before anything starts: hold all delivery in this database, and list the due e-mails that may have been sent since the copy was made. Copies made by posthorn backup are held already.",
    )
    .addHelpText(
      "after",
      `
Then deliver everything that waits, or cancel the e-mails that were due before the original stopped.

Example:
  posthorn restore-check
  posthorn queue resume --drop-due-before 2030-01-31T08:00:00Z`,
    )
    .action(act(restoreCheck));
};

async function restoreCheck(context: CommandContext): Promise<void> {
  const posthorn = await context.posthorn();
  const { due, waiting, oldestDueAt } = await posthorn.queue.checkRestored({}, operatorCall());
  context.output.record(
    { "due now": due, "due later": waiting, "oldest due since": readable(oldestDueAt) },
    { due, waiting, oldest_due_at: oldestDueAt === undefined ? null : new Date(oldestDueAt).toISOString() },
  );
  if (due + waiting === 0)
    return context.output.note(
      "No e-mail waits. Delivery is paused, and begins with posthorn queue resume. With --drop-due-before TIME, campaigns that ran at that time are paused.",
    );
  context.output.warn(
    "Delivery is paused. To deliver everything that waits: posthorn queue resume. To cancel e-mails that were due before a time: posthorn queue resume --drop-due-before TIME",
  );
}
