import { several, yesOrNo } from "../../program/settings/option-values.ts";
import { findListed, findOnly } from "../../program/verbs/find-listed.ts";
import { webhooks } from "../../program/verbs/listed-things.ts";
import type { Register } from "../../program/verbs/register.ts";
import { addRouteVerb } from "../../program/verbs/route-verb.ts";
import type { RouteVerb } from "../../program/verbs/route-verb-shape.ts";
import { readable } from "../../terminal/report-done.ts";

const find = { id: findListed(webhooks) };
const fields = [
  {
    flags: "--filter <sender>",
    field: "filters",
    describes: "only e-mails from this address or domain",
    read: several,
  },
] as const;

const columns: NonNullable<RouteVerb<"GET /workspaces/current/webhooks">["columns"]> = [
  { title: "ID", cell: ({ id }) => id },
  { title: "URL", cell: ({ url }) => url },
  { title: "EVENTS", cell: ({ events }) => events.join(", "), narrow: "cut" },
  { title: "FILTERS", cell: ({ filters }) => filters.join(", "), narrow: "spare" },
  { title: "ACTIVE", cell: ({ is_active }) => (is_active ? "yes" : "no") },
];

/** Adds the verbs that manage a workspace's webhooks. */
export const addAdministration: Register = (command, act) => {
  addReading(command, act);
  addRouteVerb(command, act, "create <url>", {
    asks: "POST /workspaces/current/webhooks",
    summary: "create a webhook; its secret is shown only once",
    details: "Only the secret goes to standard output; --json writes all about the webhook.",
    example:
      "posthorn webhooks create https://shop.example/hooks --event email.sent --event email.failed --workspace Shop",
    args: ["url"],
    options: [
      {
        flags: "--event <type>",
        field: "events",
        describes: "an event type, or * for all",
        read: several,
        isRequired: true,
      },
      ...fields,
    ],
    done: ({ id, url }) => `Webhook ${id} to ${url} is created with a signing secret.`,
    secret: { of: ({ secret }) => secret, ifLost: "Have another made: posthorn webhooks rotate-secret" },
  });
  addRouteVerb(command, act, "update <webhook>", {
    asks: "PUT /workspaces/current/webhooks/{id}",
    summary: "change the given fields of a webhook, named by id or URL",
    example: "posthorn webhooks update https://shop.example/hooks --event email.sent --workspace Shop",
    find,
    options: [
      { flags: "--url <url>", field: "url", describes: "the URL to post to" },
      { flags: "--event <type>", field: "events", describes: "an event type, or * for all", read: several },
      ...fields,
      {
        flags: "--active <yes or no>",
        field: "is_active",
        describes: "whether events are posted to it",
        read: yesOrNo,
      },
    ],
    done: ({ id }) => `Webhook ${id} is changed.`,
  });
  addSwitches(command, act);
  addRouteVerb(command, act, "delete <webhook>", {
    asks: "DELETE /workspaces/current/webhooks/{id}",
    summary: "delete a webhook with its deliveries",
    example: "posthorn webhooks delete https://shop.example/hooks --workspace Shop",
    find,
    confirm: ([named], workspace) => `Delete the webhook ${named} of "${workspace?.name}"?`,
    done: (_, [named]) => `The webhook ${named} is deleted.`,
  });
  addRouteVerb(command, act, "redeliver <delivery>", {
    asks: "POST /workspaces/current/deliveries/{id}/redeliver",
    summary: "queue a delivery again, or one that waits for its next attempt now",
    example: "posthorn webhooks redeliver 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d --workspace Shop",
    done: ({ id }) => `Delivery ${id} is queued again.`,
  });
};

const addReading: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /workspaces/current/webhooks",
    summary: "list a workspace's webhooks",
    example: "posthorn webhooks list --workspace Shop",
    isDefault: true,
    columns,
  });
  addRouteVerb(command, act, "show <webhook>", {
    asks: "GET /workspaces/current/webhooks/{id}",
    summary: "show a webhook, named by id or URL",
    example: "posthorn webhooks show https://shop.example/hooks --workspace Shop",
    find,
    columns: [
      ...columns,
      { title: "created", cell: ({ created_at }) => readable(created_at) },
      { title: "changed", cell: ({ updated_at }) => readable(updated_at) },
    ],
  });
  addRouteVerb(command, act, "deliveries <webhook>", {
    asks: "GET /workspaces/current/webhooks/{id}/deliveries",
    summary: "list a webhook's deliveries, newest first, named by id or URL",
    example: "posthorn webhooks deliveries https://shop.example/hooks --workspace Shop",
    find,
    pagesFrom: 0,
    columns: [
      { title: "ID", cell: ({ id }) => id },
      { title: "EVENT", cell: ({ event }) => event },
      { title: "STATUS", cell: ({ status }) => status },
      { title: "ATTEMPTS", cell: ({ attempts }) => attempts, align: "right", narrow: "spare" },
      { title: "RESPONSE", cell: ({ response_status }) => response_status, align: "right" },
      {
        title: "MS",
        cell: ({ duration_ms }) => duration_ms && Math.round(duration_ms),
        align: "right",
        narrow: "spare",
      },
      { title: "ERROR", cell: ({ error }) => error, narrow: "spare" },
      { title: "CREATED", cell: ({ created_at }) => readable(created_at), narrow: "spare" },
      { title: "NEXT ATTEMPT", cell: ({ due_at }) => readable(due_at), narrow: "spare" },
    ],
  });
};

const addSwitches: Register = (command, act) => {
  addRouteVerb(command, act, "enable <webhook>", {
    asks: "PUT /workspaces/current/webhooks/{id}",
    summary: "enable a webhook: events are posted to it again",
    example: "posthorn webhooks enable https://shop.example/hooks --workspace Shop",
    find,
    fields: { is_active: true },
    done: ({ url }) => `The webhook ${url} is enabled.`,
  });
  addRouteVerb(command, act, "disable <webhook>", {
    asks: "PUT /workspaces/current/webhooks/{id}",
    summary: "disable a webhook: nothing is posted to it until it is enabled",
    example: "posthorn webhooks disable https://shop.example/hooks --workspace Shop",
    find,
    fields: { is_active: false },
    done: ({ url }) => `The webhook ${url} is disabled.`,
  });
  addRouteVerb(command, act, "rotate-secret <webhook>", {
    asks: "POST /workspaces/current/webhooks/{id}/rotate-secret",
    summary: "rotate a webhook's signing secret; the new one is shown only once",
    details:
      "For 24 hours webhook-signature is made with both secrets, so that receivers can change over. X-Service-Signature is made with the new one at once.",
    example: "posthorn webhooks rotate-secret https://shop.example/hooks --workspace Shop > secret.txt",
    find,
    confirm: ([named]) =>
      `Replace the signing secret of ${named}? For 24 hours the former one still signs, too, except X-Service-Signature.`,
    done: ({ url }) => `${url} has a new signing secret.`,
    secret: { of: ({ secret }) => secret, ifLost: "Have another made: posthorn webhooks rotate-secret" },
  });
  addRouteVerb(command, act, "test [webhook]", {
    asks: "POST /workspaces/current/webhooks/{id}/test",
    summary: "post a test event to a webhook (default: the only one)",
    example: [
      "posthorn webhooks test --workspace Shop",
      "posthorn webhooks test https://shop.example/hooks --workspace Shop",
    ],
    find,
    fallback: { id: findOnly(webhooks) },
    done: ({ id }) => `The test delivery ${id} is queued.`,
  });
};
