import type { CommandContext } from "../program/connection/command-context.ts";
import { sizeYoungGeneration } from "../program/process/young-generation.ts";
import { warnOfUnknownSettings } from "../program/settings/unknown-settings.ts";
import type { Register } from "../program/verbs/register.ts";
import { countOf } from "../terminal/count-of.ts";

export const register: Register = (command, act) => {
  command
    .option("--once", "deliver the e-mails that are due, then exit")
    .addHelpText(
      "after",
      `
Runs until Ctrl-C, SIGTERM, SIGQUIT or SIGHUP, then finishes the work in progress within 30 seconds. Any number of workers may run on one database.

Examples:
  posthorn worker
  posthorn worker --once     # for a cron job

With --once, waits up to a minute for what a killed worker had in hand, and exits with 7 if due e-mails wait because their mail server takes nothing now. Expired data stays: posthorn retention run.`,
    )
    .action(
      act((context, options: { once?: true }) => {
        context.config();
        return options.once ? deliverOnce(context) : deliver(context);
      }),
    );
};

async function deliverOnce(context: CommandContext): Promise<void> {
  warnOfUnknownSettings(context.output, context.config());
  const [{ createLogger }, { createShutdown }, { createProgress }, { drainAll }, { judgeRest }] =
    await Promise.all([
      import("../terminal/create-logger.ts"),
      import("../service/server/shutdown.ts"),
      import("../terminal/progress.ts"),
      import("./worker/drain-all.ts"),
      import("./worker/judge-rest.ts"),
    ]);
  const logger = createLogger(context.config().values.log_level);
  const shutdown = createShutdown(context.signal, logger);
  const ending = new AbortController();
  const ended = shutdown.ended.finally(() => {
    if (!ending.signal.aborted) context.output.note("Stopping: deliveries in progress are finished first.");
    ending.abort();
  });
  // An error is thrown below, once deliveries in progress are finished.
  ended.catch(() => {});
  const { posthorn } = await context.open({
    mail: "deliver",
    logger,
    onFatal: (error) => shutdown.fail("the storage failed", error),
  });
  sizeYoungGeneration();
  const progress = createProgress("Delivering", undefined);
  try {
    const count = await drainAll(posthorn, { signal: ending.signal, onHandled: progress.add });
    progress.end();
    if (ending.signal.aborted) await ended;
    const made = `${countOf(count, "attempt", "attempts")} made`;
    if (ending.signal.aborted) context.output.warn(`${made}; the rest stays queued.`);
    else await judgeRest(context, posthorn, made);
  } finally {
    shutdown.close();
  }
}

async function deliver(context: CommandContext): Promise<void> {
  const [{ createLogger }, { createNotices }, { createShutdown }, { showMetrics }, { assertNoneAbandoned }] =
    await Promise.all([
      import("../terminal/create-logger.ts"),
      import("../terminal/create-notices.ts"),
      import("../service/server/shutdown.ts"),
      import("../service/server/show-metrics.ts"),
      import("../service/server/assert-none-abandoned.ts"),
    ]);
  const config = context.config();
  const { values } = config;
  const notices = createNotices(context.output);
  warnOfUnknownSettings(notices, config);
  const logger = createLogger(values.log_level);
  const shutdown = createShutdown(context.signal, logger);
  try {
    const { posthorn } = await context.open({
      database: "migrate",
      mail: "deliver",
      logger,
      onFatal: (error) => shutdown.fail("the storage failed", error),
    });
    const metrics = await showMetrics(posthorn, values);
    sizeYoungGeneration();
    posthorn.start();
    notices.note("Delivering queued e-mails.");
    if (metrics !== undefined) notices.note(`Metrics:     ${metrics.url}`);
    let abandoned = 0;
    try {
      await shutdown.ended;
    } finally {
      // The metrics stay available while deliveries in progress are finished.
      abandoned = await posthorn.stop().finally(() => metrics?.close());
    }
    assertNoneAbandoned(abandoned);
  } finally {
    shutdown.close();
  }
}
