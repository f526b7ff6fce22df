import { Option } from "commander";
import { several, trackOption, wholeNumber } from "../program/settings/option-values.ts";
import { addVerb, addWorkspaceOption } from "../program/verbs/add-verb.ts";
import { lazily } from "../program/verbs/lazily.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { countOf } from "../terminal/count-of.ts";
import { readable } from "../terminal/report-done.ts";

const run = lazily(() => import("./batches/send.ts"));

export const register: Register = (command, act) => {
  addWorkspaceOption(
    addVerb(command, "send <file>", {
      summary: "send an e-mail to each recipient in a file, or each e-mail in a file",
      details:
        "The file is CSV with a column email (or to) and one for each placeholder, NDJSON, or JSON as the API takes it; - is CSV on standard input. With a template or a subject, it lists recipients; without, e-mails.",
      example: [
        "posthorn batches send people.csv --template offer --workspace Shop",
        'posthorn batches send people.ndjson --template offer --data \'{"shop": "Acme"}\' --skip-invalid --dry-run',
        "posthorn batches send receipts.ndjson --workspace Shop",
      ],
      asks: ["POST /emails/batch"],
      args: ["content"],
    }),
  )
    .option("--template <name>", "the template to send")
    .option("--data <json>", "values shared by all: JSON, @file, or - for standard input")
    .option("--allow-missing", "send even if placeholders have no value")
    .option("--subject <text>", "the subject, or one that replaces the template's")
    .option("--html <html>", "the html part, in place of a template: HTML, @file, or - for standard input")
    .option("--text <text>", "the text part, in place of a template: text, @file, or - for standard input")
    .option("--from <mailbox>", "the sender (default: the workspace's)")
    .option("--reply-to <mailbox>", "where replies go")
    .option("--header <name: value>", "a further header field", several)
    .option("--smtp-server <server>", "the mail server to use, by name or id (default: by the sender)")
    .option("--attach <file>", "a file to attach", several)
    .option("--inline <file=id>", "a file shown in the html, which refers to it as cid:id", several)
    .option("--tag <tag>", "a tag to find them by", several)
    .option("--unsubscribe <list>", "let recipients unsubscribe from this list with one click")
    .addOption(trackOption())
    .option("--scheduled-at <time>", "when to send them: an ISO 8601 time, up to 30 days ahead")
    .addOption(
      new Option("--priority <level>", "which e-mails go first when many wait (default: normal)").choices([
        "high",
        "normal",
        "low",
      ]),
    )
    .option("--deliver-before <time>", "an ISO 8601 time after which they are not tried")
    .option("--defer", "if a limit of the plan is reached, wait for the hours with room")
    .option("--sensitive", "store the contents sealed, and delete each once settled")
    .option("--skip-invalid", "leave out what can't be sent, instead of refusing the whole batch")
    .option("--allow-duplicates", "accept an address that is listed more than once")
    .option(
      "--size <number>",
      "e-mails in a batch, if the file has more (default: 10000)",
      wholeNumber(1, 10_000),
    )
    .option("--dry-run", "report everything that would refuse the send; send nothing")
    .option(
      "--idempotency-key <key>",
      "repeated within a day, returns the first batches instead of sending again",
    )
    .action(act(run("send")));
  addRouteVerb(command, act, "show <batch>", {
    asks: "GET /emails/batches/{id}",
    summary: "show a batch's delivery so far",
    details: "To list its e-mails: posthorn emails list --batch <batch>",
    example: "posthorn batches show 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
    columns: [
      { title: "ID", cell: ({ id }) => id },
      { title: "ACCEPTED", cell: ({ created_at: at }) => readable(at) },
      { title: "REQUESTED", cell: ({ counts }) => String(counts.total) },
      { title: "WAITING", cell: ({ counts }) => String(counts.queued) },
      { title: "SENDING", cell: ({ counts }) => String(counts.sending) },
      { title: "SENT", cell: ({ counts }) => String(counts.sent) },
      { title: "FAILED", cell: ({ counts }) => String(counts.failed) },
      { title: "BOUNCED", cell: ({ counts }) => String(counts.bounced) },
      { title: "SUPPRESSED", cell: ({ counts }) => String(counts.suppressed) },
      { title: "CANCELLED", cell: ({ counts }) => String(counts.cancelled) },
      { title: "SKIPPED", cell: ({ counts }) => String(counts.skipped) },
    ],
  });
  addRouteVerb(command, act, "cancel <batch>", {
    asks: "POST /emails/batches/{id}/cancel",
    summary: "cancel a batch's waiting e-mails",
    example: "posthorn batches cancel 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
    confirm: ([named]) => `Cancel the waiting e-mails of batch ${named}?`,
    done: ({ cancelled }) => `${countOf(cancelled, "e-mail is", "e-mails are")} cancelled.`,
  });
};
