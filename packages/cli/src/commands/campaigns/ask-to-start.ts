import type { Reply } from "@posthorn/client";
import type { Api } from "../../program/connection/api.ts";
import { toCliError } from "../../program/errors/to-cli-error.ts";
import { countOf } from "../../terminal/count-of.ts";
import { grouped } from "../../terminal/grouped.ts";

/** Most recipients that are checked while somebody waits for the question. */
const mostChecked = 10_000;

type Check = Reply<"POST /workspaces/current/campaigns/{id}/check">;

/** Returns the question before a campaign's start: to how many it goes, and what a check of its list finds. */
export async function askToStart(api: Api, id: number): Promise<string> {
  const { name, recipients, on_missing } = await api.request("GET /workspaces/current/campaigns/{id}", {
    id,
  });
  const question = `Start "${name}" to ${countOf(recipients, "recipient", "recipients")}?`;
  if (recipients > mostChecked)
    return `${question} The list is not checked; to do so: posthorn campaigns check ${id}`;
  try {
    const check = await api.request("POST /workspaces/current/campaigns/{id}/check", { id });
    return `${question} ${tellCheck(check, on_missing)}`;
  } catch (error) {
    return `${question} The list could not be checked: ${toCliError(error).message}`;
  }
}

function tellCheck(
  { missing, suppressed, reasons, warnings, days_at_limits: days }: Check,
  onMissing: "skip" | "stop",
): string {
  const effect = onMissing === "skip" ? "skipped" : "where it pauses";
  const found = [
    ...missing.map(({ name, count }) => `${count} without a value for ${name} (${effect})`),
    ...(suppressed === 0 ? [] : [`${suppressed} suppressed (skipped)`]),
    ...reasons.map(({ message, count }) => `${count} refused: ${message.replace(/\.$/, "")}`),
  ];
  const told =
    found.length === 0
      ? "A check of the list found nothing against it."
      : `A check of the list found: ${found.join("; ")}.`;
  return [
    told,
    ...warnings.map(({ message }) => `Note: ${message}`),
    ...(days > 1
      ? [`With the plan's limits, the pace and the ramp it takes at least ${grouped(days)} days.`]
      : []),
  ].join(" ");
}
