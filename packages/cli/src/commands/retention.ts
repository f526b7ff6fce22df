import type { EndedRows } from "@posthorn/core";
import type { CommandContext } from "../program/connection/command-context.ts";
import { operatorCall } from "../program/connection/operator-call.ts";
import { addVerb } from "../program/verbs/add-verb.ts";
import type { Register } from "../program/verbs/register.ts";
import { countOf } from "../terminal/count-of.ts";
import { reportDone } from "../terminal/report-done.ts";

export const register: Register = (command, act) => {
  addVerb(command, "list", {
    summary: "list what would be removed now, by table and retention period",
    details: "The same as run --dry-run. It reads every row that it counts, and changes nothing.",
    example: "posthorn retention list",
    isDefault: true,
  }).action(act((context) => run(context, { dryRun: true })));
  addVerb(command, "run", {
    summary: "remove expired data now, instead of within the hour",
    details:
      "E-mails expire by their plan, their content by the workspace's setting, everything else by retention periods of its own. A running service removes it every hour. A dry run lists what would be removed, by table and retention period, and reads every row that it counts.",
    example: ["posthorn retention run --dry-run", "posthorn retention run"],
  })
    .option("--dry-run", "list what would be removed; remove nothing")
    .action(act(run));
};

async function run(context: CommandContext, { dryRun = false }: { dryRun?: boolean }): Promise<void> {
  context.ownDatabase("A server removes expired data by itself every hour, and offers no dry run over HTTP.");
  const posthorn = await context.posthorn();
  const { removed, ended } = await posthorn.retention.run({ dryRun }, operatorCall());
  if (!dryRun)
    return reportDone(context, `${countOf(removed, "row was", "rows were")} removed.`, {
      removed,
    });
  context.output.list<EndedRows>(ended, [
    { title: "TABLE", cell: ({ table }) => table },
    { title: "ROWS", cell: ({ rows }) => rows },
    { title: "RETENTION PERIOD", cell: ({ period }) => period, narrow: "cut" },
  ]);
}
