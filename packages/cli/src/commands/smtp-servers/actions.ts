import type { Reply } from "@posthorn/client";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { findItem } from "../../program/verbs/find-listed.ts";
import { smtpServers } from "../../program/verbs/listed-things.ts";

type Trial = Reply<"POST /workspaces/current/smtp-servers/{id}/test">;

export async function test(
  { inWorkspace, output }: CommandContext,
  named: string,
  { workspace, from }: { workspace?: string; from?: string },
): Promise<void> {
  const api = await inWorkspace(workspace);
  const { id, name, security } = await findItem(smtpServers, api, named);
  const trial = await api.request("POST /workspaces/current/smtp-servers/{id}/test", {
    id,
    ...(from === undefined ? {} : { from }),
  });
  if (output.json) output.record({}, trial);
  else {
    output.list(trial.steps, [
      { title: "STEP", cell: ({ step }) => step.replace("_", " ") },
      { title: "MS", cell: ({ ms }) => ms },
      { title: "REPLY", cell: ({ code, reply = "" }) => reply || (code ?? ""), narrow: "wrapped" },
      { title: "ERROR", cell: ({ error = "" }) => error },
    ]);
  }
  if (!trial.ok) throw new CliError("failed", `${name} ${faultOf(trial)}`, hintOf(trial, security));
  for (const { warning } of trial.steps) if (warning !== undefined) output.warn(`${name}: ${warning}.`);
  output.done(`${name} works.`);
}

function faultOf({ steps }: Trial): string {
  const last = steps.at(-1);
  const words = last?.error ?? last?.reply ?? "";
  return `fails at ${last?.step.replace("_", " ") ?? "its settings"}${words === "" ? "." : `: ${words}`}`;
}

/** Each kind of port is taken for the other. One that begins with TLS waits for it in silence. */
function hintOf({ steps }: Trial, security: "none" | "starttls" | "tls"): string | undefined {
  const { step, error = "" } = steps.at(-1) ?? {};
  if (step === "greeting" && error.startsWith("no answer") && security !== "tls")
    return "If the port begins with TLS, as 465 does, update the server with --security tls.";
  if (error.includes("answers in the clear"))
    return "Where the port begins without TLS, as 587 does, update the server with --security starttls.";
  return undefined;
}
