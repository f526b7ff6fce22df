import { useCases } from "@posthorn/core";
import { route } from "../route.ts";
import { emailDetailsWire, emailWire } from "../wire/emails.ts";

const { emails } = useCases;

const sending = {
  status: 202,
  // Two bodies of 2 MiB and their data, with room for what JSON escapes.
  maxBytes: 8 * 1024 * 1024,
  idempotent: true,
  reply: emailWire,
} as const;
const refusals = [
  "rate_limited",
  "email_not_verified",
  "workspace_not_trusted",
  "sender_missing",
  "domain_not_verified",
  "all_recipients_suppressed",
  "idempotency_key_reused",
] as const;

/** Sending, and the log of what was sent (service.md, Sending with a template; decisions §7). */
export const emailRoutes = [
  route("POST /emails/send-template", emails.sendTemplate, {
    ...sending,
    summary: "Send with a template",
    refusals: [...refusals, "template_data_missing", "template_render_failed"],
  }),
  route("POST /emails/send", emails.send, { ...sending, summary: "Send", refusals }),
  route("GET /emails", emails.list, { summary: "List e-mails", envelope: "page", reply: emailWire }),
  route("GET /emails/{id}", emails.get, {
    summary: "Read an e-mail",
    params: { id: "emailId" },
    reply: emailDetailsWire,
  }),
  route("POST /emails/{id}/cancel", emails.cancel, {
    summary: "Cancel an e-mail that still waits",
    params: { id: "emailId" },
    reply: emailWire,
    refusals: ["not_cancellable"],
  }),
  route("GET /workspaces/current/emails", emails.listForWorkspace, {
    summary: "List the workspace's e-mails",
    envelope: "page",
    reply: emailWire,
  }),
  route("GET /workspaces/current/emails/{id}", emails.getForWorkspace, {
    summary: "Read an e-mail of the workspace",
    params: { id: "emailId" },
    reply: emailDetailsWire,
  }),
] as const;
