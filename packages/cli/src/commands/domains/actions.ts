import type { Reply } from "@posthorn/client";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { findItem } from "../../program/verbs/find-listed.ts";
import { domains } from "../../program/verbs/listed-things.ts";
import type { RecordForm } from "../../terminal/output-formats.ts";
import { writeRecords } from "./record-forms.ts";

type Domain = Reply<"POST /workspaces/current/domains/{id}/verify">;

export async function records(
  { inWorkspace, output }: CommandContext,
  named: string,
  { workspace, as: form }: { workspace?: string; as?: RecordForm },
): Promise<void> {
  const domain = await findItem(domains, await inWorkspace(workspace), named);
  if (form !== undefined) return output.data(writeRecords(domain.records, form));
  tellRecords(output, domain.records);
}

export async function verify(
  { inWorkspace, output }: CommandContext,
  named: string,
  { workspace }: { workspace?: string },
): Promise<void> {
  const api = await inWorkspace(workspace);
  const { id } = await findItem(domains, api, named);
  const domain = await api.request("POST /workspaces/current/domains/{id}/verify", { id });
  if (output.json) output.record({}, domain);
  else tellRecords(output, domain.records);
  if (domain.status !== "verified") throw new CliError("failed", whyNot(domain));
  output.done(`${domain.name} is verified.`);
}

function whyNot({ name, status, status_reason: reason }: Domain): string {
  const where = status === "pending" ? "not verified yet" : `in the status ${status}`;
  return `${name} is ${where}${reason === "" ? "." : `: ${reason}`}`;
}

function tellRecords(output: CommandContext["output"], all: Domain["records"]): void {
  output.list(all, [
    { title: "PURPOSE", cell: ({ purpose }) => purpose },
    { title: "REQUIRED", cell: ({ required }) => (required ? "yes" : "no") },
    { title: "STATUS", cell: ({ status }) => status },
    { title: "TYPE", cell: ({ type }) => type, narrow: "spare" },
    { title: "HOST", cell: ({ host }) => host },
    { title: "VALUE", cell: ({ value }) => value },
    { title: "HINT", cell: ({ hint }) => hint, narrow: "wrapped" },
  ]);
}
