import type { WorkspaceApi } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { findListed } from "../../program/verbs/find-listed.ts";
import { campaigns } from "../../program/verbs/listed-things.ts";
import { assertWhole, type ImportOutcome, importInParts } from "../../service/import-in-parts.ts";
import { countOf } from "../../terminal/count-of.ts";
import { assertReadable } from "../../terminal/read-input.ts";
import { reportDone } from "../../terminal/report-done.ts";
import { openSentFiles, outputFiles, type SentFile } from "../emails/sent-files.ts";
import type { PlanOptions } from "./plan-options.ts";
import { readPlan } from "./read-plan.ts";

interface InWorkspace {
  workspace?: string;
}

export async function create(
  context: CommandContext,
  name: string,
  { workspace, recipients, ...options }: InWorkspace & PlanOptions & { recipients?: string },
): Promise<void> {
  const plan = await readPlan(options);
  const files = openFiles(options);
  if (recipients !== undefined) assertReadable(recipients);
  const api = await context.inWorkspace(workspace);
  const { id } = await api.request("POST /workspaces/current/campaigns", {
    ...{ name, ...plan },
    ...(files && { attachments: await outputFiles(api, files, { route: uploads }) }),
  });
  const goOn = (line: number): string =>
    `Continue with posthorn campaigns add ${id} --resume ${line}, and this command's --recipients, --workspace and --profile.`;
  const list =
    recipients === undefined ? none : await fill(context, api, { id, recipients, resume: 1, goOn });
  const campaign = await api.request("GET /workspaces/current/campaigns/{id}", { id });
  const { recipients: count } = campaign;
  const next =
    count === 0
      ? `Add recipients with: posthorn campaigns add ${id} --recipients list.csv`
      : `Start it with: posthorn campaigns start ${id}`;
  reportDone(
    context,
    `"${name}" is a draft with ${countOf(count, "recipient", "recipients")}${told(list)}. ${next}`,
    campaign,
  );
  assertWhole(context, list, goOn);
}

/** Route for uploads by users. */
const uploads = "POST /workspaces/current/attachments";

/** Opens the files named by options; `undefined` if there are none, an empty list for `--attach none`. */
function openFiles({ attach, inline }: PlanOptions): SentFile[] | undefined {
  if (attach === undefined && inline === undefined) return undefined;
  return openSentFiles({ attach: attach?.filter((path) => path !== "none"), inline });
}

export async function update(
  context: CommandContext,
  named: string,
  { workspace, name, ...options }: InWorkspace & PlanOptions & { name?: string },
): Promise<void> {
  const api = await context.inWorkspace(workspace);
  const id = Number(await findListed(campaigns)(api, named));
  const standing = await api.request("GET /workspaces/current/campaigns/{id}", { id });
  const plan = await readPlan(options, standing);
  const files = openFiles(options);
  const changed = await api.request("PUT /workspaces/current/campaigns/{id}", {
    ...{ id, name: name ?? standing.name, ...plan },
    ...(files && { attachments: await outputFiles(api, files, { route: uploads }) }),
  });
  reportDone(context, `"${changed.name}" is changed.`, changed);
}

export async function add(
  context: CommandContext,
  named: string,
  { workspace, recipients, resume = 1 }: InWorkspace & { recipients: string; resume?: number },
): Promise<void> {
  const api = await context.inWorkspace(workspace);
  const id = Number(await findListed(campaigns)(api, named));
  const list = await fill(context, api, { id, recipients, resume });
  reportDone(context, `${countOf(list.added, "recipient is", "recipients are")} added${told(list)}.`, list);
  assertWhole(context, list);
}

interface Filled extends Omit<ImportOutcome<unknown>, "answers"> {
  added: number;
  duplicates: number;
}
const none: Filled = { added: 0, duplicates: 0, rejected: [], rejected_total: 0, last_line: 0 };

const told = ({ duplicates, rejected_total: left }: Filled): string =>
  `${duplicates === 0 ? "" : `; ${countOf(duplicates, "was", "were")} already listed`}${left === 0 ? "" : `; ${countOf(left, "line is", "lines are")} left out`}`;

async function fill(
  context: CommandContext,
  api: WorkspaceApi,
  {
    id,
    recipients: path,
    resume,
    goOn,
  }: { id: number; recipients: string; resume: number; goOn?: (line: number) => string },
) {
  const { answers, ...lines } = await importInParts(context, {
    path,
    list: "recipients",
    fromLine: resume,
    goOn,
    send: (content, parts) =>
      api.request("POST /workspaces/current/campaigns/{id}/recipients", {
        id,
        content,
        content_type: "application/x-ndjson",
        ...parts,
      }),
  });
  const sum = (of: "added" | "duplicates"): number =>
    answers.reduce((total, answer) => total + answer[of], 0);
  return { added: sum("added"), duplicates: sum("duplicates"), ...lines };
}
