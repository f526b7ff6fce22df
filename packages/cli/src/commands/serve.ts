import type { CommandContext } from "../program/connection/command-context.ts";
import { warnOfUnknownSettings } from "../program/settings/unknown-settings.ts";
import type { Register } from "../program/verbs/register.ts";

export const register: Register = (command, act) => {
  command
    .option("--no-worker", "serve the API only; deliver with `posthorn worker`")
    .addHelpText(
      "after",
      `
Runs until Ctrl-C, SIGTERM, SIGQUIT or SIGHUP, then finishes the work in progress within 30 seconds; a second Ctrl-C ends it at once.
Logs are JSON lines on standard error; plain text where that is a terminal.

Examples:
  posthorn serve
  SERVICE_SMTP_URL=smtp://user:password@mail.example.com posthorn serve --port 8080`,
    )
    .action(act(serve));
};

async function serve(context: CommandContext, { worker }: { worker: boolean }): Promise<void> {
  const [{ runServer, tellAddresses }, { createNotices }] = await Promise.all([
    import("../service/server/run-server.ts"),
    import("../terminal/create-notices.ts"),
  ]);
  const notices = createNotices(context.output);
  warnOfUnknownSettings(notices, context.config());
  await runServer(context, {
    worker,
    notices,
    onListening(server) {
      tellAddresses(notices, server);
      if (!worker) notices.note("Nothing is delivered by this process: run posthorn worker beside it.");
    },
  });
}
