import type { CommandContext } from "../command-context.ts";
import type { Register } from "../commands.ts";

export const register: Register = (command, act) => {
  command
    .command("status", { isDefault: true })
    .summary("how full the queue is, and who works on it")
    .description("How full the queue is, and who works on it.")
    .addHelpText("after", "\nExample:\n  posthorn queue status --json | jq .due")
    .action(act(status));
  command
    .command("pause")
    .summary("deliver no e-mail until resumed; sending is still accepted")
    .description(
      "Delivers no e-mail until resumed; sending is still accepted. What is under way is finished.",
    )
    .addHelpText("after", "\nExample:\n  posthorn queue pause")
    .action(act((context) => setPaused(context, true)));
  command
    .command("resume")
    .summary("deliver again")
    .description("Delivers again.")
    .addHelpText("after", "\nExample:\n  posthorn queue resume")
    .action(act((context) => setPaused(context, false)));
};

/** Ms without a sign of life after which a worker is taken for dead. */
const aliveMs = 30_000;

async function status(context: CommandContext): Promise<void> {
  const { posthorn, storage } = await context.open();
  const now = Date.now();
  const [queue, isPaused, workers] = await Promise.all([
    posthorn.queueStatus(),
    storage.operations.isPaused(),
    storage.operations.listWorkers(now - aliveMs),
  ]);
  const oldestMs = queue.oldestDueAt === undefined ? 0 : Math.max(0, now - queue.oldestDueAt);
  context.output.record(
    {
      "due now": queue.due,
      "due later": queue.waiting,
      "under way": queue.leased,
      "oldest is due for": `${Math.round(oldestMs / 1000)} s`,
      paused: isPaused ? "yes" : "no",
      workers: workers.length,
    },
    {
      due: queue.due,
      waiting: queue.waiting,
      leased: queue.leased,
      oldest_due_at: queue.oldestDueAt === undefined ? null : new Date(queue.oldestDueAt).toISOString(),
      paused: isPaused,
      workers: workers.map(({ worker, seenAt }) => ({ id: worker, seen_at: new Date(seenAt).toISOString() })),
    },
  );
  if (isPaused) context.output.warn("The queue is paused. To deliver again: posthorn queue resume");
  else if (workers.length === 0 && queue.due > 0) {
    context.output.warn("Nobody delivers: start posthorn serve or posthorn worker.");
  }
}

async function setPaused(context: CommandContext, paused: boolean): Promise<void> {
  const { storage } = await context.open();
  const changed = await storage.transaction(async ({ operations, events }) => {
    if ((await operations.isPaused()) === paused) return false;
    await operations.setPaused(paused);
    await events.append([
      {
        category: "system",
        type: paused ? "queue.paused" : "queue.resumed",
        workspaceId: undefined,
        userId: undefined,
        actorId: undefined,
        actorName: "command line",
        clientIp: "",
        message: `command line ${paused ? "paused" : "resumed"} the delivery of e-mails`,
        metadata: "{}",
        createdAt: Date.now(),
      },
    ]);
    return true;
  });
  if (changed) await storage.notify(["events", "emails"]);
  const word = paused ? "paused" : "running";
  context.output.done(changed ? `The queue is ${word} now.` : `The queue was ${word} already.`);
}
