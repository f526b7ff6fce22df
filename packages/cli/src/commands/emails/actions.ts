import { emailDetailsWire, emailWire } from "@posthorn/http/wire";
import type { Paging } from "../../program/add-verb.ts";
import { CliError } from "../../program/cli-error.ts";
import type { CommandContext } from "../../program/command-context.ts";
import { findWorkspace } from "../../program/find-named.ts";
import { operatorCall } from "../../program/operator-call.ts";
import { type EmailDetails, type Waiting, waitForEmail } from "../../service/wait-for-email.ts";
import { readData } from "../../terminal/read-input.ts";
import { readable, tellDone, tellPage } from "../../terminal/tell.ts";
import { tellSettled } from "../../terminal/tell-settled.ts";
import { statuses } from "./statuses.ts";

interface ListOptions extends Paging {
  workspace?: string;
  status?: string;
  to?: string;
  template?: string;
  since?: number;
}

export async function list(
  context: CommandContext,
  { workspace: named, ...options }: ListOptions,
): Promise<void> {
  const posthorn = await context.posthorn();
  const status = statuses.find((one) => one === options.status);
  if (options.status !== undefined && status === undefined)
    throw new CliError("usage", `--status must be one of: ${statuses.join(", ")}.`);
  const input = {
    page: options.page,
    size: options.size,
    ...(status === undefined ? {} : { status }),
    ...(options.to === undefined ? {} : { to: options.to }),
    ...(options.template === undefined ? {} : { template: options.template }),
    ...(options.since === undefined ? {} : { fromDate: new Date(options.since).toISOString() }),
  };
  const found =
    named === undefined
      ? await posthorn.emails.listAll(input, operatorCall())
      : await posthorn.emails.listForWorkspace(
          input,
          operatorCall((await findWorkspace(posthorn, named)).id),
        );
  tellPage(context, found, {
    columns: [
      { title: "ID", cell: ({ id }) => id },
      { title: "ACCEPTED", cell: ({ createdAt }) => readable(createdAt) },
      { title: "STATUS", cell: (email) => email.status },
      { title: "TO", cell: ({ to }) => (to.length > 1 ? `${to[0]} and ${to.length - 1} more` : to[0]) },
      { title: "TEMPLATE", cell: ({ template }) => template },
      { title: "SUBJECT", cell: ({ subject }) => subject },
    ],
    wire: emailWire.from,
  });
}

export async function show(context: CommandContext, emailId: string): Promise<void> {
  const posthorn = await context.posthorn();
  const email = await posthorn.emails.getAny({ emailId }, operatorCall());
  const { output } = context;
  if (output.json) return output.record({}, emailDetailsWire.from(email));
  output.record({
    id: email.id,
    status: email.status,
    from: email.from,
    subject: email.subject,
    template: email.template,
    accepted: readable(email.createdAt),
    "scheduled for": readable(email.scheduledAt),
    sent: readable(email.sentAt),
    tags: email.tags.join(", "),
  });
  output.data("");
  output.list(email.recipients, [
    { title: "RECIPIENT", cell: ({ kind, address }) => `${kind} ${address}` },
    { title: "STATE", cell: ({ state }) => state },
    { title: "ATTEMPTS", cell: ({ attempts }) => attempts, align: "right" },
    { title: "LAST REPLY", cell: ({ lastReply }) => lastReply },
  ]);
  output.data("");
  output.list<EmailDetails["attempts"][number]>(email.attempts, [
    { title: "ATTEMPT", cell: ({ number }) => number, align: "right" },
    { title: "BEGAN", cell: ({ startedAt }) => readable(startedAt) },
    { title: "OUTCOME", cell: ({ outcome, inDoubt }) => (inDoubt ? `${outcome}, in doubt` : outcome) },
    { title: "REPLY", cell: ({ reply }) => reply },
  ]);
}

interface SendOptions extends Waiting {
  workspace: string;
  template: string;
  to: string[];
  cc?: string[];
  bcc?: string[];
  data?: string;
  allowMissing?: boolean;
  from?: string;
  replyTo?: string;
  subject?: string;
  tag?: string[];
  unsubscribe?: string;
  scheduledAt?: string;
  idempotencyKey?: string;
}

export async function send(context: CommandContext, options: SendOptions): Promise<void> {
  const { workspace: named, data, tag, unsubscribe: list, wait = false, waitSeconds, ...fields } = options;
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, named);
  const email = await posthorn.emails.sendTemplate(
    {
      ...fields,
      ...(data === undefined ? {} : { templateData: await readData(data) }),
      ...(tag === undefined ? {} : { tags: tag }),
      ...(list === undefined ? {} : { unsubscribe: { list } }),
    },
    operatorCall(workspace.id),
  );
  if (!wait) {
    const when =
      email.scheduledAt === undefined ? "accepted" : `scheduled for ${readable(email.scheduledAt)}`;
    tellDone(
      context,
      `${email.id} is ${when}: "${email.subject}" to ${email.to.join(", ")}.`,
      emailWire.from(email),
    );
    return;
  }
  const settled = await waitForEmail(context, workspace.id, { emailId: email.id, seconds: waitSeconds });
  tellSettled(context, settled, emailDetailsWire.from(settled));
}

export async function cancel(context: CommandContext, emailId: string): Promise<void> {
  const posthorn = await context.posthorn();
  const before = await posthorn.emails.getAny({ emailId }, operatorCall());
  await context.confirm(`Cancel "${before.subject}" to ${before.to.join(", ")}?`);
  const { workspaceId } = (await posthorn.storage.emails.find(undefined, emailId)) ?? {};
  if (workspaceId === undefined)
    throw new CliError("not_allowed", "It is one of the service's own mails, which can't be cancelled.");
  const email = await posthorn.emails.cancel({ emailId }, operatorCall(workspaceId));
  tellDone(context, `${email.id} is cancelled.`, emailWire.from(email));
}

export async function retry(context: CommandContext, emailId: string): Promise<void> {
  const posthorn = await context.posthorn();
  const email = await posthorn.emails.retry({ emailId }, operatorCall());
  tellDone(context, `${email.id} is in the queue again.`, emailWire.from(email));
}
