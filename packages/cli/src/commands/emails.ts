import { emailStatuses } from "@posthorn/core/internal";
import { Option } from "commander";
import { entries, moment, several, trackOption } from "../program/settings/option-values.ts";
import { addPaging, addVerb, addWorkspaceOption } from "../program/verbs/add-verb.ts";
import { lazily } from "../program/verbs/lazily.ts";
import type { Register } from "../program/verbs/register.ts";
import { addWaiting } from "../service/wait-for-email.ts";

const run = lazily(() => import("./emails/actions.ts"));
const sending = lazily(() => import("./emails/sending.ts"));
const explaining = lazily(() => import("./emails/explain.ts"));

export const register: Register = (command, act) => {
  addPaging(
    addVerb(command, "list", {
      summary: "list e-mails of one workspace or of all, newest first",
      example: [
        "posthorn emails list --workspace Shop --status failed",
        "posthorn emails list --workspace Shop --tag receipt --metadata order=1007 --all --format csv",
      ],
      isDefault: true,
      asks: ["GET /workspaces/current/emails", "GET /emails"],
    }),
  )
    .option("--workspace <id or name>", "only e-mails of this workspace (default: SERVICE_WORKSPACE, or all)")
    .addOption(new Option("--status <status>", "only e-mails in this state").choices(emailStatuses))
    .option("--to <address>", "only e-mails to this address, in to, cc or bcc")
    .option("--template <name>", "only e-mails made from this template")
    .option("--batch <batch>", "only e-mails of this batch")
    .option("--api-key <id>", "only e-mails that this API key sent, which may be revoked")
    .option("--tag <tag>", "only e-mails with this tag")
    .option("--metadata <key=value>", "only e-mails with this entry in their metadata; up to 5", entries)
    .option("--since <when>", "only e-mails accepted since: 15m, 1h, 7d, or an ISO 8601 time", moment)
    .action(act(run("list")));
  addShow(command, act);
  addVerb(command, "explain <email>", {
    summary: "explain an e-mail: everything that happened to it, in order, and what it waits for",
    details:
      "Covers the request that submitted it, each attempt with the mail servers' replies and timings, reports and webhooks.",
    example: [
      "posthorn emails explain 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
      "posthorn emails explain 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d --json | jq '.timeline[].message'",
    ],
    asks: ["GET /workspaces/current/emails/{id}", "GET /emails/{id}"],
  })
    .option("--workspace <id or name>", "the workspace, if you use a server with a login")
    .action(act(explaining("explain")));
  addSend(command, act);
  addBackgroundWork(command, act);
};

const addSend: Register = (command, act) => {
  addWaiting(
    addWorkspaceOption(
      addVerb(command, "send", {
        summary: "send an e-mail, from a template or with its own content",
        asks: ["POST /emails/send-template", "POST /emails/send"],
        details: "The e-mail is on disk once this returns; posthorn serve or posthorn worker delivers it.",
        example: [
          `posthorn emails send --workspace Shop --template welcome --to ada@example.com --data '{"name": "Ada"}'`,
          "posthorn emails send --workspace Shop --template welcome --to ada@example.com --data @ada.json --wait",
          "posthorn emails send --template receipt --to ada@example.com --attach receipt.pdf --inline logo.png=logo",
          "posthorn emails send --workspace Shop --subject 'We moved' --file moved.html --file moved.txt --to ada@example.com",
        ],
      }),
    ),
  )
    .option("--template <name>", "the template to send")
    .option("--html <html>", "the html part, in place of a template: HTML, @file, or - for standard input")
    .option("--text <text>", "the text part, in place of a template: text, @file, or - for standard input")
    .option(
      "--file <file>",
      "a part, in place of a template: .html is the html part, any other the text",
      several,
    )
    .requiredOption("--to <address>", "a recipient, visible to the others", several)
    .option("--cc <address>", "a further recipient, visible to all", several)
    .option("--bcc <address>", "a further recipient, hidden from all others", several)
    .option("--data <json>", "placeholder values: JSON, @file, or - for standard input")
    .option("--allow-missing", "send even if placeholders have no value")
    .option("--from <mailbox>", "the sender (default: the workspace's)")
    .option("--sender <mailbox>", "the actual sender, if not the From address")
    .option("--reply-to <mailbox>", "where replies go")
    .option("--header <name: value>", "a further header field", several)
    .option("--smtp-server <server>", "the mail server to use, by name or id (default: by the sender)")
    .option("--subject <text>", "the subject, or one that replaces the template's")
    .option("--attach <file>", "a file to attach", several)
    .option("--inline <file=id>", "a file shown in the html, which refers to it as cid:id", several)
    .option("--calendar <file>", "a calendar invitation: an .ics file with its METHOD")
    .option("--tag <tag>", "a tag to find it by", several)
    .option("--unsubscribe <list>", "let the only recipient unsubscribe from this list with one click")
    .addOption(trackOption())
    .option(
      "--metadata <key=value>",
      "your own data to store with it; also JSON, @file, or - for standard input",
      several,
    )
    .option("--scheduled-at <time>", "when to send it: an ISO 8601 time, up to 30 days ahead")
    .addOption(
      new Option("--priority <level>", "which e-mails go first when many wait (default: normal)").choices([
        "high",
        "normal",
        "low",
      ]),
    )
    .option("--deliver-before <time>", "an ISO 8601 time after which it is not tried")
    .option("--defer", "if a limit of the plan is reached, wait for the first hour with room")
    .option("--sensitive", "store the content sealed, and delete it once settled")
    .option("--dedupe-key <key>", "send only one e-mail for this key, ever, in the workspace")
    .option("--dry-run", "report everything that would refuse the send; send nothing")
    .option(
      "--idempotency-key <key>",
      "repeated within a day, returns the first e-mail instead of sending again",
    )
    .action(act(sending("send")));
};

const addShow: Register = (command, act) => {
  addVerb(command, "show <email>", {
    summary: "show an e-mail with its recipients' states and every attempt, or its content",
    details:
      "The content is rendered as it is handed over; the signature is added only then. Sensitive content is never shown.",
    example: [
      "posthorn emails show 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
      "posthorn emails show 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d --html > mail.html",
    ],
    asks: [
      "GET /workspaces/current/emails/{id}",
      "GET /emails/{id}",
      "GET /workspaces/current/emails/{id}/content",
    ],
  })
    .addOption(new Option("--html", "only its html part").conflicts(["text", "source"]))
    .addOption(new Option("--text", "only its text part").conflicts(["html", "source"]))
    .addOption(new Option("--source", "the whole message as Internet mail, with its files"))
    .option("--workspace <id or name>", "the workspace, if you use a server with a login")
    .action(act(run("show")));
};

/** Work on an e-mail after it is accepted. */
const addBackgroundWork: Register = (command, act) => {
  addVerb(command, "cancel <email>", {
    summary: "cancel an e-mail that still waits",
    example: "posthorn emails cancel 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
    asks: ["POST /emails/{id}/cancel", "POST /workspaces/current/emails/{id}/cancel"],
  })
    .option("--workspace <id or name>", "the workspace, if you use a server with a login")
    .action(act(run("cancel")));
  addVerb(command, "attachment <email> <position>", {
    summary: "write an e-mail's file as it was sent, by its position from 0",
    example: "posthorn emails attachment 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d 0 > terms.pdf",
    asks: ["GET /workspaces/current/emails/{id}/attachments/{position}"],
  })
    .option("--workspace <id or name>", "the workspace, if you use a server with a login")
    .option("--output <file>", "a new file to write it into")
    .action(act(run("attachment")));
  addVerb(command, "retry <email>", {
    summary: "queue a failed e-mail again, for the recipients that did not get it",
    example: "posthorn emails retry 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
    asks: ["POST /workspaces/current/emails/{id}/retry"],
  })
    .option("--workspace <id or name>", "the workspace, if you use a server with a login")
    .action(act(run("retry")));
  addVerb(command, "reschedule <email> <time>", {
    summary: "reschedule a waiting e-mail to another time, or to now",
    example: [
      "posthorn emails reschedule 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d 2030-01-31T08:00:00Z",
      "posthorn emails reschedule 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d now",
    ],
    asks: ["PATCH /emails/{id}", "PATCH /workspaces/current/emails/{id}"],
    args: ["id", "scheduled_at"],
  })
    .option("--workspace <id or name>", "the workspace, if you use a server with a login")
    .action(act(run("reschedule")));
};
