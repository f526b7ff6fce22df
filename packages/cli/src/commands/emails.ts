import { Option } from "commander";
import type { Register } from "../commands.ts";
import { addPaging, addVerb, addWorkspaceOption } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";
import { moment, several } from "../program/option-values.ts";
import { addWaiting } from "../service/wait-for-email.ts";
import { statuses } from "./emails/statuses.ts";

const run = lazily(() => import("./emails/actions.ts"));
const sending = lazily(() => import("./emails/sending.ts"));

export const register: Register = (command, act) => {
  addPaging(
    addVerb(command, "list", {
      summary: "list e-mails, newest first, of one workspace or of all",
      example: "posthorn emails list --workspace Shop --status failed",
      isDefault: true,
      asks: ["GET /workspaces/current/emails", "GET /emails"],
    }),
  )
    .option("--workspace <id or name>", "only this workspace's")
    .addOption(new Option("--status <status>", "only those in this state").choices(statuses))
    .option("--to <address>", "only those to this address")
    .option("--template <name>", "only those made from this template")
    .option("--since <when>", "only those accepted since: 15m, 1h, 7d, or an ISO 8601 time", moment)
    .action(act(run("list")));
  addVerb(command, "show <email>", {
    summary: "show an e-mail with its recipients' states and every attempt",
    example: "posthorn emails show 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
    asks: ["GET /workspaces/current/emails/{id}", "GET /emails/{id}"],
  })
    .option("--workspace <id or name>", "the workspace, for a server that is asked with a login")
    .action(act(run("show")));
  addWaiting(
    addWorkspaceOption(
      addVerb(command, "send", {
        summary: "send an e-mail, made from a template or as it stands",
        asks: ["POST /emails/send-template", "POST /emails/send"],
        details: "It is on disk when this answers; posthorn serve or posthorn worker delivers it.",
        example: [
          `posthorn emails send --workspace Shop --template welcome --to ada@example.com --data '{"name": "Ada"}'`,
          "posthorn emails send --workspace Shop --template welcome --to ada@example.com --data @ada.json --wait",
          "posthorn emails send --workspace Shop --subject 'We moved' --file moved.html --file moved.txt --to ada@example.com",
        ],
      }),
    ),
  )
    .option("--template <name>", "the template that it is made from")
    .option("--html <html>", "the html part as it stands: HTML, @file, or - for standard input")
    .option("--text <text>", "the text part as it stands: text, @file, or - for standard input")
    .option("--file <file>", "a part as it stands: .html is the html part, any other the text", several)
    .requiredOption("--to <address>", "a recipient; more than one see each other", several)
    .option("--cc <address>", "a further recipient whom all see", several)
    .option("--bcc <address>", "a further recipient whom nobody sees", several)
    .option("--data <json>", "placeholder values: JSON, @file, or - for standard input")
    .option("--allow-missing", "send although placeholders have no value")
    .option("--from <mailbox>", "the sender (default: the workspace's)")
    .option("--reply-to <mailbox>", "where answers go")
    .option("--subject <text>", "the subject, or another than the template's")
    .option("--tag <tag>", "a tag to find it by", several)
    .option("--unsubscribe <list>", "let the one recipient unsubscribe from this list with one click")
    .option("--metadata <json>", "anything of yours to keep with it: JSON, @file, or - for standard input")
    .option("--scheduled-at <time>", "send it then: an ISO 8601 time, up to 30 days ahead")
    .option(
      "--idempotency-key <key>",
      "given again within a day, answers the first time's e-mail instead of sending another",
    )
    .action(act(sending("send")));
  addVerb(command, "cancel <email>", {
    summary: "take an e-mail back that still waits",
    example: "posthorn emails cancel 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
    asks: ["POST /emails/{id}/cancel"],
  })
    .option("--workspace <id or name>", "the workspace, for a server that is asked with a login")
    .action(act(run("cancel")));
  addVerb(command, "attachment <email> <position>", {
    summary: "write a file of an e-mail as it was sent, by its place from 0",
    example: "posthorn emails attachment 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d 0 > terms.pdf",
    asks: ["GET /workspaces/current/emails/{id}/attachments/{position}"],
  })
    .option("--workspace <id or name>", "the workspace, for a server that is asked with a login")
    .option("--output <file>", "a new file to write it into")
    .action(act(run("attachment")));
  addVerb(command, "retry <email>", {
    summary: "put a failed e-mail back into the queue, for the recipients that did not get it",
    example: "posthorn emails retry 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
  }).action(act(run("retry")));
};
