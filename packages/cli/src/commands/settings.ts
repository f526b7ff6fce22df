import { wholeNumber, yesOrNo } from "../program/settings/option-values.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { readable } from "../terminal/report-done.ts";

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "show", {
    asks: "GET /workspaces/current/settings",
    summary: "show a workspace's settings",
    example: "posthorn settings show --workspace Shop",
    isDefault: true,
    columns: [
      { title: "timezone", cell: ({ timezone }) => timezone },
      { title: "sender name", cell: ({ default_sender_name }) => default_sender_name },
      { title: "sender address", cell: ({ default_sender_email }) => default_sender_email },
      { title: "webhook retries", cell: ({ webhook_retry_count }) => webhook_retry_count },
      { title: "API key lifetime, days", cell: ({ api_key_expiry_days }) => api_key_expiry_days || "never" },
      {
        title: "DKIM rotation, days",
        cell: ({ dkim_rotation_days }) => dkim_rotation_days || "never",
      },
      {
        title: "content retention, days",
        cell: ({ content_retention_days }) => content_retention_days || "as the log",
      },
      {
        title: "suppress after bounces",
        cell: ({ bounce_auto_suppress }) => (bounce_auto_suppress ? "yes" : "no"),
      },
      {
        title: "only verified domains",
        cell: ({ require_verified_domain }) => (require_verified_domain ? "yes" : "no"),
      },
      { title: "operator's mail server", cell: ({ platform_server }) => (platform_server ? "yes" : "no") },
      { title: "changed", cell: ({ updated_at }) => readable(updated_at) },
    ],
  });
  addRouteVerb(command, act, "set", {
    asks: "PUT /workspaces/current/settings",
    summary: "change a workspace's settings; options left out change nothing",
    example: [
      'posthorn settings set --sender-name "Shop" --sender-email hello@shop.example --workspace Shop',
      "posthorn settings set --webhook-retries 5 --only-verified-domains yes --workspace Shop",
    ],
    options: [
      { flags: "--timezone <zone>", field: "timezone", describes: "an IANA name, such as Europe/Rome" },
      { flags: "--sender-name <name>", field: "default_sender_name", describes: "the sender's name" },
      { flags: "--sender-email <address>", field: "default_sender_email", describes: "the sender's address" },
      {
        flags: "--webhook-retries <number>",
        field: "webhook_retry_count",
        describes: "retries of a failed webhook delivery, 0 to 10",
        read: wholeNumber(0, 10),
      },
      {
        flags: "--api-key-days <number>",
        field: "api_key_expiry_days",
        describes: "the lifetime of new API keys in days, 0 for ever",
        read: wholeNumber(0, 3650),
      },
      {
        flags: "--dkim-rotation-days <number>",
        field: "dkim_rotation_days",
        describes: "days after which a domain's DKIM key is rotated, 0 for never",
        read: wholeNumber(0, 3650),
      },
      {
        flags: "--content-retention-days <number>",
        field: "content_retention_days",
        describes: "days after which e-mails' content is removed, 0 to keep it as long as the log",
        read: wholeNumber(0, 3650),
      },
      {
        flags: "--bounce-auto-suppress <yes or no>",
        field: "bounce_auto_suppress",
        describes: "whether addresses that bounce are suppressed",
        read: yesOrNo,
      },
      {
        flags: "--only-verified-domains <yes or no>",
        field: "require_verified_domain",
        describes: "whether senders must be in the workspace's verified domains",
        read: yesOrNo,
      },
      {
        flags: "--platform-server <yes or no>",
        field: "platform_server",
        describes:
          "whether e-mails that none of the workspace's own servers accepts are sent through the operator's",
        read: yesOrNo,
      },
    ],
    done: ({ workspace_id }) => `The settings of workspace ${workspace_id} are changed.`,
  });
};
