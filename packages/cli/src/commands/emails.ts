import { emailStatuses } from "@posthorn/core/internal";
import { Option } from "commander";
import { addPaging, addVerb, addWorkspaceOption } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";
import { entries, moment, several } from "../program/option-values.ts";
import type { Register } from "../program/register.ts";
import { addWaiting } from "../service/wait-for-email.ts";

const run = lazily(() => import("./emails/actions.ts"));
const sending = lazily(() => import("./emails/sending.ts"));
const explaining = lazily(() => import("./emails/explain.ts"));

export const register: Register = (command, act) => {
  addPaging(
    addVerb(command, "list", {
      summary: "list e-mails, newest first, of one workspace or of all",
      example: [
        "posthorn emails list --workspace Shop --status failed",
        "posthorn emails list --workspace Shop --tag receipt --metadata order=1007 --all --format csv",
      ],
      isDefault: true,
      asks: ["GET /workspaces/current/emails", "GET /emails"],
    }),
  )
    .option("--workspace <id or name>", "only this workspace's")
    .addOption(new Option("--status <status>", "only those in this state").choices(emailStatuses))
    .option("--to <address>", "only those to this address, in to, cc or bcc")
    .option("--template <name>", "only those made from this template")
    .option("--batch <batch>", "only those of this batch")
    .option("--tag <tag>", "only those with this tag")
    .option(
      "--metadata <key=value>",
      "only those with this in their metadata; may be given up to 5 times",
      entries,
    )
    .option("--since <when>", "only those accepted since: 15m, 1h, 7d, or an ISO 8601 time", moment)
    .action(act(run("list")));
  addShow(command, act);
  addVerb(command, "explain <email>", {
    summary: "tell all that happened to an e-mail, in order, and what it waits for",
    details:
      "From the request that brought it, through each attempt with what mail servers said and how long it took, to reports and webhooks.",
    example: [
      "posthorn emails explain 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
      "posthorn emails explain 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d --json | jq '.timeline[].message'",
    ],
    asks: ["GET /workspaces/current/emails/{id}", "GET /emails/{id}"],
  })
    .option("--workspace <id or name>", "the workspace, for a server that is asked with a login")
    .action(act(explaining("explain")));
  addSend(command, act);
  addAfterwards(command, act);
};

const addSend: Register = (command, act) => {
  addWaiting(
    addWorkspaceOption(
      addVerb(command, "send", {
        summary: "send an e-mail, made from a template or as it stands",
        asks: ["POST /emails/send-template", "POST /emails/send"],
        details: "It is on disk when this answers; posthorn serve or posthorn worker delivers it.",
        example: [
          `posthorn emails send --workspace Shop --template welcome --to ada@example.com --data '{"name": "Ada"}'`,
          "posthorn emails send --workspace Shop --template welcome --to ada@example.com --data @ada.json --wait",
          "posthorn emails send --template receipt --to ada@example.com --attach receipt.pdf --inline logo.png=logo",
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
    .option("--sender <mailbox>", "who sends it on behalf of the sender, where that is somebody else")
    .option("--reply-to <mailbox>", "where answers go")
    .option("--header <name: value>", "a further header field", several)
    .option(
      "--smtp-server <server>",
      "the mail server that it goes through, by name or id (default: by the sender)",
    )
    .option("--subject <text>", "the subject, or another than the template's")
    .option("--attach <file>", "a file to send along", several)
    .option("--inline <file=id>", "a file shown within the html, which refers to it as cid:id", several)
    .option("--calendar <file>", "an invitation or the like: an .ics file with its METHOD")
    .option("--tag <tag>", "a tag to find it by", several)
    .option("--unsubscribe <list>", "let the one recipient unsubscribe from this list with one click")
    .option(
      "--metadata <key=value>",
      "anything of yours to keep with it; also JSON, @file, or - for standard input",
      several,
    )
    .option("--scheduled-at <time>", "send it then: an ISO 8601 time, up to 30 days ahead")
    .addOption(
      new Option("--priority <level>", "which go first where many wait (default: normal)").choices([
        "high",
        "normal",
        "low",
      ]),
    )
    .option(
      "--deliver-before <time>",
      "an ISO 8601 time at which it is no use any more: it is not tried then",
    )
    .option("--defer", "where a limit of the plan is reached, wait for the first hour with room")
    .option("--sensitive", "keep what it says sealed, and no longer than it takes to send it")
    .option("--dedupe-key <key>", "one e-mail for this key, ever, in the workspace")
    .option("--dry-run", "tell what would come of it, with everything that stands against it; send nothing")
    .option(
      "--idempotency-key <key>",
      "given again within a day, answers the first time's e-mail instead of sending another",
    )
    .action(act(sending("send")));
};

const addShow: Register = (command, act) => {
  addVerb(command, "show <email>", {
    summary: "show an e-mail with its recipients' states and every attempt, or what it says",
    details:
      "What it says is rendered as it is handed over; a signature is added then. What was sent as sensitive is shown to nobody.",
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
    .addOption(new Option("--html", "its html part alone").conflicts(["text", "source"]))
    .addOption(new Option("--text", "its text part alone").conflicts(["html", "source"]))
    .addOption(new Option("--source", "the whole message as Internet mail, with its files"))
    .option("--workspace <id or name>", "the workspace, for a server that is asked with a login")
    .action(act(run("show")));
};

/** What is done with an e-mail once it is accepted. */
const addAfterwards: Register = (command, act) => {
  addVerb(command, "cancel <email>", {
    summary: "take an e-mail back that still waits",
    example: "posthorn emails cancel 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
    asks: ["POST /emails/{id}/cancel", "POST /workspaces/current/emails/{id}/cancel"],
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
    asks: ["POST /workspaces/current/emails/{id}/retry"],
  })
    .option("--workspace <id or name>", "the workspace, for a server that is asked with a login")
    .action(act(run("retry")));
  addVerb(command, "reschedule <email> <time>", {
    summary: "send an e-mail that waits at another time, or now",
    example: [
      "posthorn emails reschedule 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d 2030-01-31T08:00:00Z",
      "posthorn emails reschedule 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d now",
    ],
    asks: ["PATCH /emails/{id}", "PATCH /workspaces/current/emails/{id}"],
    args: ["id", "scheduled_at"],
  })
    .option("--workspace <id or name>", "the workspace, for a server that is asked with a login")
    .action(act(run("reschedule")));
};
