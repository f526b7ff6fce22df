import type { Register } from "./program/verbs/register.ts";

/** A command with a verb or several. */
export interface CommandEntry {
  /** Name of the command. */
  name: string;
  /** Line in the list of commands. */
  summary: string;
  /** Loads its module, once it is called. */
  load: () => Promise<{ register: Register }>;
}

/** Commands by the heading under which help lists them. */
const groups: Readonly<Record<string, readonly CommandEntry[]>> = {
  "To begin": [
    {
      name: "dev",
      summary: "start everything in an empty folder, to develop against",
      load: () => import("./commands/dev.ts"),
    },
    {
      name: "demo",
      summary: "show the main job from end to end, then exit",
      load: () => import("./commands/demo.ts"),
    },
    {
      name: "doctor",
      summary: "check everything that Posthorn needs",
      load: () => import("./commands/doctor.ts"),
    },
    {
      name: "completion",
      summary: "write a shell's completion script",
      load: () => import("./commands/completion.ts"),
    },
  ],
  "Running it": [
    {
      name: "serve",
      summary: "run the API and the worker in one process",
      load: () => import("./commands/serve.ts"),
    },
    {
      name: "worker",
      summary: "deliver queued e-mails, without the API",
      load: () => import("./commands/worker.ts"),
    },
    {
      name: "migrate",
      summary: "bring the database's schema up to date",
      load: () => import("./commands/migrate.ts"),
    },
    {
      name: "config",
      summary: "settings in force: show; replace a lost secret key",
      load: () => import("./commands/config.ts"),
    },
    {
      name: "queue",
      summary: "the queue: show its status, pause, resume",
      load: () => import("./commands/queue.ts"),
    },
    {
      name: "top",
      summary: "watch the queue: waiting e-mails, rates, workers, failures",
      load: () => import("./commands/top.ts"),
    },
    {
      name: "backup",
      summary: "copy a SQLite database while it is in use",
      load: () => import("./commands/backup.ts"),
    },
    {
      name: "restore-check",
      summary: "after restoring a database: hold its e-mails, and list what may have been sent since",
      load: () => import("./commands/restore-check.ts"),
    },
    {
      name: "copy",
      summary: "move everything to another database",
      load: () => import("./commands/copy.ts"),
    },
    {
      name: "retention",
      summary: "expired data: list it, remove it",
      load: () => import("./commands/retention.ts"),
    },
    {
      name: "profiles",
      summary: "servers that commands use instead of a database",
      load: () => import("./commands/profiles.ts"),
    },
  ],
  Sending: [
    {
      name: "emails",
      summary: "e-mails: send, list, explain, cancel, retry",
      load: () => import("./commands/emails.ts"),
    },
    {
      name: "batches",
      summary: "batches: send many e-mails from a file, and follow their delivery",
      load: () => import("./commands/batches.ts"),
    },
    {
      name: "campaigns",
      summary: "e-mails to many recipients: create, check, start, pause, watch",
      load: () => import("./commands/campaigns.ts"),
    },
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
      name: "attachments",
      summary: "files to attach to e-mails: upload, show, delete",
      load: () => import("./commands/attachments.ts"),
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
  ],
  "What comes back": [
    {
      name: "suppressions",
      summary: "addresses that nothing is sent to: list, add, remove, check, import, export",
      load: () => import("./commands/suppressions.ts"),
    },
    {
      name: "inbound",
      summary: "bounces and complaints: list, show, feed, parse",
      load: () => import("./commands/inbound.ts"),
    },
    {
      name: "inbound-endpoints",
      summary: "endpoints for relays' own webhooks",
      load: () => import("./commands/inbound-endpoints.ts"),
    },
    {
      name: "webhooks",
      summary: "webhooks and their deliveries; listen, trigger and verify to build receivers",
      load: () => import("./commands/webhooks.ts"),
    },
    {
      name: "metrics",
      summary: "delivery figures: by hour, day and domain",
      load: () => import("./commands/metrics.ts"),
    },
    {
      name: "events",
      summary: "events so far, and live: tail --follow",
      load: () => import("./commands/events.ts"),
    },
  ],
  "People and workspaces": [
    {
      name: "users",
      summary: "people: create, promote, reset two-factor login",
      load: () => import("./commands/users.ts"),
    },
    {
      name: "workspaces",
      summary: "shared workspaces: list, show, create",
      load: () => import("./commands/workspaces.ts"),
    },
    {
      name: "members",
      summary: "a workspace's members: list, invite, add, remove",
      load: () => import("./commands/members.ts"),
    },
    {
      name: "invitations",
      summary: "pending invitations: list, create, cancel",
      load: () => import("./commands/invitations.ts"),
    },
    {
      name: "settings",
      summary: "a workspace's settings: show, set",
      load: () => import("./commands/settings.ts"),
    },
    {
      name: "api-keys",
      summary: "keys for programs: list, create, revoke",
      load: () => import("./commands/api-keys.ts"),
    },
    {
      name: "plans",
      summary: "limits: create, compare, assign",
      load: () => import("./commands/plans.ts"),
    },
    {
      name: "audit-log",
      summary: "a workspace's audit log",
      load: () => import("./commands/audit-log.ts"),
    },
    {
      name: "recipients",
      summary: "a person: whether mail reaches them, and their data to export or erase",
      load: () => import("./commands/recipients.ts"),
    },
  ],
};

/** All commands in the order of the help, each with its heading. */
export const commands: readonly (CommandEntry & { group: string })[] = Object.entries(groups).flatMap(
  ([group, entries]) => entries.map((entry) => ({ ...entry, group })),
);
