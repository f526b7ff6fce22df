import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { batchCancelledWire, batchDryRunWire, batchWire, sentBatchWire } from "../wire/batches.ts";
import { dryRunWire } from "../wire/dry-runs.ts";
import { emailContentWire } from "../wire/email-content.ts";
import { emailDetailsWire, emailWire } from "../wire/emails.ts";

const { emails } = useCases;

const sending = {
  status: 202,
  // Maximum body size: two bodies of 2 MiB with their data, escaped as JSON, and 10 MiB of files in base64.
  maxBytes: 24 * 1024 * 1024,
  idempotent: true,
  otherwise: {
    status: 200,
    words: "An e-mail was sent under the same `dedupe_key` before: this is it",
    headers: { "posthorn-deduplicated": "true" },
    when: ({ deduplicated }: { deduplicated: boolean }) => deduplicated,
  },
  reply: emailWire,
} as const;

/** Routes of sending and of the e-mail log (service.md, Sending with a template; decisions §7). */
export const emailRoutes = [
  route("POST /emails/send-template", emails.sendTemplate, {
    ...sending,
    summary: "Send an e-mail from a template",
    dryRun: { useCase: emails.dryRunSendTemplate, reply: dryRunWire },
  }),
  route("POST /emails/send", emails.send, {
    ...sending,
    summary: "Send an e-mail",
    dryRun: { useCase: emails.dryRunSend, reply: dryRunWire },
  }),
  route("POST /emails/batch", emails.sendBatch, {
    summary: "Send a batch of e-mails",
    status: 202,
    maxBytes: sending.maxBytes,
    maxValues: 300_000,
    idempotent: true,
    reply: sentBatchWire,
    dryRun: { useCase: emails.dryRunSendBatch, reply: batchDryRunWire },
  }),
  route("GET /emails/batches/{id}", emails.getBatch, {
    summary: "Read a batch's delivery status",
    params: { id: "batchId" },
    reply: batchWire,
  }),
  route("POST /emails/batches/{id}/cancel", emails.cancelBatch, {
    summary: "Cancel a batch's waiting e-mails",
    params: { id: "batchId" },
    reply: batchCancelledWire,
  }),
  route("GET /emails", emails.list, {
    by: "api_key",
    summary: "List e-mails",
    envelope: "page",
    reply: emailWire,
  }),
  route("GET /emails/{id}", emails.get, {
    by: "api_key",
    summary: "Read an e-mail",
    params: { id: "emailId" },
    reply: emailDetailsWire,
  }),
  route("POST /emails/{id}/cancel", emails.cancel, {
    by: "api_key",
    summary: "Cancel an e-mail",
    params: { id: "emailId" },
    reply: emailWire,
  }),
  route("PATCH /emails/{id}", emails.reschedule, {
    by: "api_key",
    summary: "Reschedule an e-mail",
    params: { id: "emailId" },
    reply: emailWire,
  }),
  route("GET /workspaces/current/emails", emails.list, {
    by: "emails:read",
    summary: "List the workspace's e-mails",
    envelope: "page",
    reply: emailWire,
  }),
  route("GET /workspaces/current/emails/{id}", emails.get, {
    by: "emails:read",
    summary: "Read an e-mail of the workspace",
    params: { id: "emailId" },
    reply: emailDetailsWire,
  }),
  route("GET /workspaces/current/emails/{id}/content", emails.getContent, {
    summary: "Read the rendered content of an e-mail of the workspace",
    params: { id: "emailId" },
    reply: emailContentWire,
  }),
  route("PATCH /workspaces/current/emails/{id}", emails.reschedule, {
    by: "emails:write",
    summary: "Reschedule an e-mail of the workspace",
    params: { id: "emailId" },
    reply: emailWire,
  }),
  route("POST /workspaces/current/emails/{id}/cancel", emails.cancel, {
    by: "emails:write",
    summary: "Cancel an e-mail of the workspace",
    params: { id: "emailId" },
    reply: emailWire,
  }),
  route("POST /workspaces/current/emails/{id}/retry", emails.retry, {
    by: "emails:write",
    summary: "Retry a failed e-mail of the workspace",
    params: { id: "emailId" },
    reply: emailWire,
  }),
] as const;
