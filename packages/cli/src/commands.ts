import type { Register } from "./program/register.ts";

/** Every command, one line each; its module is loaded when it is called. */
export const commands: { name: string; summary: string; load: () => Promise<{ register: Register }> }[] = [
  {
    name: "demo",
    summary: "show the main job end to end, and end",
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "dev",
    summary: "bring everything up in an empty folder, to develop against",
    load: () => import("./commands/dev.ts"),
  },
  {
    name: "serve",
    summary: "run the API and the worker in one process",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "worker",
    summary: "deliver what is queued, without the API",
    load: () => import("./commands/worker.ts"),
  },
  {
    name: "doctor",
    summary: "check everything that Posthorn needs",
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "migrate",
    summary: "bring the database's schema up to date",
    load: () => import("./commands/migrate.ts"),
  },
  {
    name: "restore-check",
    summary: "after restoring a database: hold its mail, and tell what may have been sent since",
    load: () => import("./commands/restore-check.ts"),
  },
  { name: "config", summary: "the settings in force", load: () => import("./commands/config.ts") },
  {
    name: "queue",
    summary: "the queue: how full it is, pause, resume",
    load: () => import("./commands/queue.ts"),
  },
  {
    name: "top",
    summary: "watch the queue: what waits and why, rates, workers, what failed",
    load: () => import("./commands/top.ts"),
  },
  {
    name: "recipients",
    summary: "what is held about somebody: export it, erase it",
    load: () => import("./commands/recipients.ts"),
  },
  {
    name: "retention",
    summary: "what is kept no longer: tell it, remove it",
    load: () => import("./commands/retention.ts"),
  },
  {
    name: "inbound",
    summary: "bounces and complaints: what came back, and why",
    load: () => import("./commands/inbound.ts"),
  },
  {
    name: "inbound-endpoints",
    summary: "where relays report to by their own webhooks",
    load: () => import("./commands/inbound-endpoints.ts"),
  },
  {
    name: "backup",
    summary: "copy a SQLite database while it is in use",
    load: () => import("./commands/backup.ts"),
  },
  { name: "copy", summary: "move everything to another database", load: () => import("./commands/copy.ts") },
  {
    name: "profiles",
    summary: "servers that commands ask in place of a database",
    load: () => import("./commands/profiles.ts"),
  },
  {
    name: "completion",
    summary: "write a shell's completion script",
    load: () => import("./commands/completion.ts"),
  },
  {
    name: "users",
    summary: "people: create, promote, reset two-factor login",
    load: () => import("./commands/users.ts"),
  },
  {
    name: "workspaces",
    summary: "what people share: list, show, create",
    load: () => import("./commands/workspaces.ts"),
  },
  { name: "members", summary: "who belongs to a workspace", load: () => import("./commands/members.ts") },
  {
    name: "invitations",
    summary: "who is asked to join a workspace",
    load: () => import("./commands/invitations.ts"),
  },
  {
    name: "settings",
    summary: "a workspace's settings: show, set",
    load: () => import("./commands/settings.ts"),
  },
  {
    name: "audit-log",
    summary: "who did what in a workspace",
    load: () => import("./commands/audit-log.ts"),
  },
  {
    name: "plans",
    summary: "limits: create, compare, assign",
    load: () => import("./commands/plans.ts"),
  },
  { name: "api-keys", summary: "what programs send with", load: () => import("./commands/api-keys.ts") },
  {
    name: "templates",
    summary: "templates: push and pull a folder, preview, test, activate",
    load: () => import("./commands/templates.ts"),
  },
  {
    name: "stylesheets",
    summary: "CSS inlined into e-mails: push and pull a folder",
    load: () => import("./commands/stylesheets.ts"),
  },
  {
    name: "domains",
    summary: "domains to send from: DNS records, verification, DKIM keys",
    load: () => import("./commands/domains.ts"),
  },
  {
    name: "smtp-servers",
    summary: "a workspace's own mail servers: add, change, test",
    load: () => import("./commands/smtp-servers.ts"),
  },
  { name: "emails", summary: "send, and see what was sent", load: () => import("./commands/emails.ts") },
  {
    name: "batches",
    summary: "send many e-mails at once from a file, and see what became of them",
    load: () => import("./commands/batches.ts"),
  },
  {
    name: "attachments",
    summary: "files that e-mails are sent with",
    load: () => import("./commands/attachments.ts"),
  },
  {
    name: "campaigns",
    summary: "mail to many: make, check, start, pause, watch",
    load: () => import("./commands/campaigns.ts"),
  },
  {
    name: "metrics",
    summary: "what became of mail, in numbers",
    load: () => import("./commands/metrics.ts"),
  },
  {
    name: "suppressions",
    summary: "whom nothing is sent to: list, add, remove, check, import, export",
    load: () => import("./commands/suppressions.ts"),
  },
  {
    name: "webhooks",
    summary: "webhooks: deliveries, and listen, trigger and verify to build receivers",
    load: () => import("./commands/webhooks.ts"),
  },
  {
    name: "events",
    summary: "what happened, and what happens: tail --follow",
    load: () => import("./commands/events.ts"),
  },
];
