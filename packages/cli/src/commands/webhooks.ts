import { several, wholeNumber } from "../program/settings/option-values.ts";
import { addVerb, addWorkspaceOption } from "../program/verbs/add-verb.ts";
import { lazily } from "../program/verbs/lazily.ts";
import type { Register } from "../program/verbs/register.ts";
import { addAdministration } from "./webhooks/administration.ts";

const building = lazily(() => import("./webhooks/building.ts"));

export const register: Register = (command, act) => {
  addAdministration(command, act);
  addWorkspaceOption(
    addVerb(command, "listen", {
      asks: ["GET /admin/events/position", "GET /workspaces/current/emails/{id}"],
      summary: "forward a workspace's e-mail events live to a receiver under development",
      details:
        "Posts are signed like real deliveries, with a secret for this run or your own. Needs no webhook and no public address. Nothing is retried. With a server, it needs an administrator's login.",
      example: "posthorn webhooks listen --workspace Shop --forward-to http://127.0.0.1:3000/hooks",
    }),
  )
    .requiredOption("--forward-to <url>", "the receiver: https://, or http:// on this machine")
    .option("--event <type>", "only this event type", several)
    .option("--secret-file <file>", "a file with the secret to sign with")
    .action(act(building("listen")));
  addVerb(command, "trigger <event>", {
    summary: "post one signed sample event to a receiver; exit with 1 unless it answers 2xx",
    example: "posthorn webhooks trigger email.sent --url http://127.0.0.1:3000/hooks",
  })
    .requiredOption("--url <url>", "the receiver: https://, or http:// on this machine")
    .option("--secret-file <file>", "a file with the secret to sign with")
    .action(act(building("trigger")));
  addVerb(command, "verify", {
    summary: "verify the signature of a received delivery; exit with 1 if it does not match",
    example:
      'posthorn webhooks verify --secret-file secret.txt --body-file body.json --header "webhook-id: …" --header "webhook-timestamp: …" --header "webhook-signature: v1,…"',
  })
    .requiredOption("--secret-file <file>", "a file with the webhook's secret")
    .requiredOption("--body-file <file>", "the raw body as received; - for standard input")
    .requiredOption("--header <name: value>", "a header as received", several)
    .option(
      "--tolerance <seconds>",
      "how far its time may be off, in seconds",
      wholeNumber(0, 1_000_000_000),
      300,
    )
    .action(act(building("verify")));
};
