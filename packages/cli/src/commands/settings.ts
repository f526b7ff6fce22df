import { wholeNumber, yesOrNo } from "../program/settings/option-values.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { readable } from "../terminal/report-done.ts";

const yesOrNoOption = <F extends string>(flag: string, field: F, describes: string) => ({
  flags: `${flag} <yes or no>`,
  field,
  describes,
  read: yesOrNo,
});

const inWords = (flag: boolean): string => (flag ? "yes" : "no");

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
      { title: "suppress after bounces", cell: ({ bounce_auto_suppress }) => inWords(bounce_auto_suppress) },
      {
        title: "only verified domains",
        cell: ({ require_verified_domain }) => inWords(require_verified_domain),
      },
      { title: "operator's mail server", cell: ({ platform_server }) => inWords(platform_server) },
      { title: "track opens", cell: ({ track_opens }) => inWords(track_opens) },
      { title: "track clicks", cell: ({ track_clicks }) => inWords(track_clicks) },
      { title: "tracking details", cell: ({ tracking_details }) => inWords(tracking_details) },
      { title: "tracking trap", cell: ({ tracking_trap }) => inWords(tracking_trap) },
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
      yesOrNoOption(
        "--bounce-auto-suppress",
        "bounce_auto_suppress",
        "whether addresses that bounce are suppressed",
      ),
      yesOrNoOption(
        "--only-verified-domains",
        "require_verified_domain",
        "whether senders must be in the workspace's verified domains",
      ),
      yesOrNoOption(
        "--platform-server",
        "platform_server",
        "whether e-mails that none of the workspace's own servers accepts are sent through the operator's",
      ),
      yesOrNoOption("--track-opens", "track_opens", "whether it is recorded when e-mails are opened"),
      yesOrNoOption("--track-clicks", "track_clicks", "whether clicks on links are recorded"),
      yesOrNoOption("--tracking-details", "tracking_details", "whether full addresses and agents are stored"),
      yesOrNoOption("--tracking-trap", "tracking_trap", "whether a hidden link tells machines from people"),
    ],
    done: ({ workspace_id }) => `The settings of workspace ${workspace_id} are changed.`,
  });
};
