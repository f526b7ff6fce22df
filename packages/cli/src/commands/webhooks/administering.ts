import { deliveryWire, webhookWire, webhookWithSecretWire } from "@posthorn/http/wire";
import type { Paging } from "../../program/add-verb.ts";
import { CliError } from "../../program/cli-error.ts";
import type { CommandContext } from "../../program/command-context.ts";
import { findWorkspace } from "../../program/find-named.ts";
import { operatorCall } from "../../program/operator-call.ts";
import { readable, tellDone, tellPage } from "../../terminal/tell.ts";

interface InWorkspace {
  workspace: string;
}

export async function list(context: CommandContext, options: InWorkspace): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, options.workspace);
  context.output.list(
    await posthorn.webhooks.list({}, operatorCall(workspace.id)),
    [
      { title: "ID", cell: ({ id }) => id },
      { title: "URL", cell: ({ url }) => url },
      { title: "EVENTS", cell: ({ events }) => events.join(", ") },
      { title: "FILTERS", cell: ({ filters }) => filters.join(", ") },
      { title: "ACTIVE", cell: ({ isActive }) => (isActive ? "yes" : "no") },
    ],
    webhookWire.from,
  );
}

export async function create(
  context: CommandContext,
  url: string,
  {
    workspace: named,
    event: events,
    filter: filters = [],
  }: InWorkspace & { event: string[]; filter?: string[] },
): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, named);
  const webhook = await posthorn.webhooks.create({ url, events, filters }, operatorCall(workspace.id));
  tellDone(
    context,
    `Webhook ${webhook.id}. Its secret is shown this once:`,
    webhookWithSecretWire.from(webhook),
  );
  if (!context.output.json) context.output.data(webhook.secret);
}

export async function deliveries(
  context: CommandContext,
  named: string,
  { workspace: place, page, size }: InWorkspace & Paging,
): Promise<void> {
  const { posthorn, workspaceId, webhookId } = await findWebhook(context, place, named);
  const found = await posthorn.webhooks.listDeliveries({ webhookId, page, size }, operatorCall(workspaceId));
  tellPage(context, found, {
    columns: [
      { title: "ID", cell: ({ id }) => id },
      { title: "EVENT", cell: ({ event }) => event },
      { title: "STATUS", cell: ({ status }) => status },
      { title: "ATTEMPTS", cell: ({ attempts }) => attempts, align: "right" },
      { title: "ANSWER", cell: ({ responseStatus }) => responseStatus, align: "right" },
      { title: "MS", cell: ({ durationMs }) => durationMs && Math.round(durationMs), align: "right" },
      { title: "ERROR", cell: ({ error }) => error },
      { title: "CREATED", cell: ({ createdAt }) => readable(createdAt) },
      { title: "NEXT", cell: ({ dueAt }) => readable(dueAt) },
    ],
    wire: deliveryWire.from,
  });
}

export async function redeliver(
  context: CommandContext,
  named: string,
  deliveryId: string,
  options: InWorkspace,
): Promise<void> {
  const { posthorn, workspaceId, webhookId } = await findWebhook(context, options.workspace, named);
  const delivery = await posthorn.webhooks.redeliver({ webhookId, deliveryId }, operatorCall(workspaceId));
  tellDone(context, `Delivery ${delivery.id} is in the queue.`, deliveryWire.from(delivery));
}

async function findWebhook(context: CommandContext, place: string, named: string) {
  const posthorn = await context.posthorn();
  const { id: workspaceId } = await findWorkspace(posthorn, place);
  const found = (await posthorn.webhooks.list({}, operatorCall(workspaceId))).filter(
    ({ id, url }) => id === named || url === named,
  );
  const [webhook] = found;
  if (webhook === undefined)
    throw new CliError(
      "not_found",
      `The workspace has no webhook ${named}.`,
      "Try: posthorn webhooks list --workspace …",
    );
  if (found.length > 1)
    throw new CliError("usage", `${found.length} webhooks lead to ${named}.`, "Name it by its id.");
  return { posthorn, workspaceId, webhookId: webhook.id };
}
