import type { CommandContext } from "../program/connection/command-context.ts";
import { wholeNumber } from "../program/settings/option-values.ts";
import { addVerb, addWorkspaceOption } from "../program/verbs/add-verb.ts";
import { lazily } from "../program/verbs/lazily.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { countOf } from "../terminal/count-of.ts";
import { writePieces } from "../terminal/write-data.ts";

const showing = lazily(() => import("./recipients/show.ts"));

export const register: Register = (command, act) => {
  addWorkspaceOption(
    addVerb(command, "show <address>", {
      summary: "show whether mail reaches an address: what stops it, and what became of the newest e-mails",
      example: "posthorn recipients show ada@example.com --workspace Shop",
      asks: [
        "POST /workspaces/current/suppressions/check",
        "GET /workspaces/current/suppressions",
        "GET /workspaces/current/emails",
        "GET /workspaces/current/emails/{id}",
      ],
      args: ["emails.0"],
    }),
  )
    .option("--size <count>", "how many e-mails to show, 1 to 100 (default: 10)", wholeNumber(1, 100))
    .action(act(showing("show")));
  addWorkspaceOption(
    addVerb(command, "export <address>", {
      summary: "write all data about a recipient to standard output, one JSON object a line",
      example: "posthorn recipients export ada@example.com --workspace Shop > ada.ndjson",
      asks: ["GET /workspaces/current/recipients/{email}/export"],
    }),
  ).action(act(exportAll));
  addRouteVerb(command, act, "erase <address>", {
    asks: "POST /workspaces/current/recipients/erase",
    summary: "erase a recipient from e-mails, campaigns, events and reports; cancel their waiting e-mails",
    example: "posthorn recipients erase ada@example.com --workspace Shop --yes",
    args: ["email"],
    confirm: ([address], workspace) => `Erase ${address} from "${workspace?.name}" for good?`,
    done: ({ emails, campaigns }) =>
      `A worker replaces the address in ${countOf(emails, "e-mail", "e-mails")}, ${countOf(campaigns, "campaign", "campaigns")}, and all records about them.`,
  });
};

async function exportAll(
  context: CommandContext,
  email: string,
  { workspace: named }: { workspace?: string },
): Promise<void> {
  const api = await context.inWorkspace(named);
  const all = api.download("GET /workspaces/current/recipients/{email}/export", { email }, context);
  await writePieces(all, context.signal);
}
