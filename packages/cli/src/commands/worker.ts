import type { CommandContext } from "../command-context.ts";
import type { Register } from "../commands.ts";

export const register: Register = (command, act) => {
  command
    .option("--once", "deliver what is due, and end")
    .addHelpText(
      "after",
      `
Runs until Ctrl-C or SIGTERM, then finishes what is under way within 30 seconds. Any number of workers may run on one database.

Examples:
  posthorn worker
  posthorn worker --once     # for a cron job`,
    )
    .action(
      act((context, options: { once?: true }) => (options.once ? deliverOnce(context) : deliver(context))),
    );
};

async function deliverOnce(context: CommandContext): Promise<void> {
  const { posthorn } = await context.open({ mail: "deliver" });
  const count = await posthorn.drain();
  context.output.done(`${count} ${count === 1 ? "attempt" : "attempts"} made: nothing more is due.`);
}

async function deliver(context: CommandContext): Promise<void> {
  const [{ createLogger }, { createStandBy }] = await Promise.all([
    import("../create-logger.ts"),
    import("../stand-by.ts"),
  ]);
  const logger = createLogger(context.config().values.log_level);
  const standBy = createStandBy(context.signal, logger);
  try {
    const { posthorn } = await context.open({
      database: "migrate",
      mail: "deliver",
      logger,
      onFatal: (error) => standBy.fail("the disk failed to keep a commit", error),
    });
    posthorn.start();
    context.output.note("Delivering what is queued.");
    await standBy.ended.finally(() => posthorn.stop());
  } finally {
    standBy.close();
  }
}
