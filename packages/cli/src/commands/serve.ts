import type { CommandContext } from "../program/connection/command-context.ts";
import type { Register } from "../program/verbs/register.ts";

export const register: Register = (command, act) => {
  command
    .option("--no-worker", "serve the API only; deliver with `posthorn worker`")
    .addHelpText(
      "after",
      `
Runs until Ctrl-C or SIGTERM, then finishes the work in progress within 30 seconds; a second Ctrl-C ends it at once.
Logs are JSON lines on standard error.

Examples:
  posthorn serve
  SERVICE_SMTP_URL=smtp://user:password@mail.example.com posthorn serve --port 8080`,
    )
    .action(act(serve));
};

async function serve(context: CommandContext, { worker }: { worker: boolean }): Promise<void> {
  const { runServer, tellAddresses } = await import("../service/run-server.ts");
  await runServer(context, {
    worker,
    onListening(server) {
      tellAddresses(context, server);
      if (!worker)
        context.output.note("Nothing is delivered by this process: run posthorn worker beside it.");
    },
  });
}
