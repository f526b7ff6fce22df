import type { Register } from "../commands.ts";
import { addPaging, addVerb, addWorkspaceOption } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";
import { moment, several } from "../program/option-values.ts";
import { addWaiting } from "../service/wait-for-email.ts";
import { statuses } from "./emails/statuses.ts";

const run = lazily(() => import("./emails/actions.ts"));

export const register: Register = (command, act) => {
  addPaging(
    addVerb(command, "list", {
      summary: "list e-mails, newest first, of one workspace or of all",
      example: "posthorn emails list --workspace Shop --status failed",
      isDefault: true,
    }),
  )
    .option("--workspace <id or name>", "only this workspace's")
    .option("--status <status>", `one of ${statuses.join(", ")}`)
    .option("--to <address>", "only those to this address")
    .option("--template <name>", "only those made from this template")
    .option("--since <when>", "only those accepted since: 15m, 1h, 7d, or an ISO 8601 time", moment)
    .action(act(run("list")));
  addVerb(command, "show <email>", {
    summary: "show an e-mail with its recipients' states and every attempt",
    example: "posthorn emails show 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
  }).action(act(run("show")));
  addWaiting(
    addWorkspaceOption(
      addVerb(command, "send", {
        summary: "send an e-mail made from a template",
        details: "It is on disk when this answers; posthorn serve or posthorn worker delivers it.",
        example: [
          `posthorn emails send --workspace Shop --template welcome --to ada@example.com --data '{"name": "Ada"}'`,
          "posthorn emails send --workspace Shop --template welcome --to ada@example.com --data @ada.json --wait",
        ],
      }),
    ),
  )
    .requiredOption("--template <name>", "the template")
    .requiredOption("--to <address>", "a recipient; more than one see each other", several)
    .option("--cc <address>", "a further recipient whom all see", several)
    .option("--bcc <address>", "a further recipient whom nobody sees", several)
    .option("--data <json>", "placeholder values: JSON, @file, or - for standard input")
    .option("--allow-missing", "send although placeholders have no value")
    .option("--from <mailbox>", "the sender (default: the workspace's)")
    .option("--reply-to <mailbox>", "where answers go")
    .option("--subject <text>", "another subject than the template's")
    .option("--tag <tag>", "a tag to find it by", several)
    .option("--unsubscribe <list>", "let the one recipient unsubscribe from this list with one click")
    .option("--scheduled-at <time>", "send it then: an ISO 8601 time, up to 30 days ahead")
    .option(
      "--idempotency-key <key>",
      "given again within a day, answers the first time's e-mail instead of sending another",
    )
    .action(act(run("send")));
  addVerb(command, "cancel <email>", {
    summary: "take an e-mail back that still waits",
    example: "posthorn emails cancel 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
  }).action(act(run("cancel")));
  addVerb(command, "retry <email>", {
    summary: "put a failed e-mail back into the queue, for the recipients that did not get it",
    example: "posthorn emails retry 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
  }).action(act(run("retry")));
};
