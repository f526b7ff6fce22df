import { Option } from "commander";
import { addVerb, addWorkspaceOption } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";
import { several, wholeNumber } from "../program/option-values.ts";
import type { Register } from "../program/register.ts";
import { addRouteVerb } from "../program/route-verb.ts";
import { readable } from "../terminal/tell.ts";

const run = lazily(() => import("./batches/send.ts"));

export const register: Register = (command, act) => {
  addWorkspaceOption(
    addVerb(command, "send <file>", {
      summary: "send an e-mail to each recipient in a file, or each e-mail in it",
      details:
        "The file is CSV with a column email (or to) and one for each placeholder, lines of JSON, or JSON as the API takes it; - is CSV on standard input. With a template or a subject, it lists recipients; without, e-mails.",
      example: [
        "posthorn batches send people.csv --template offer --workspace Shop",
        'posthorn batches send people.jsonl --template offer --data \'{"shop": "Acme"}\' --skip-invalid --dry-run',
        "posthorn batches send receipts.jsonl --workspace Shop",
      ],
      asks: ["POST /emails/batch"],
    }),
  )
    .option("--template <name>", "the template that they are made from")
    .option("--data <json>", "values that all share: JSON, @file, or - for standard input")
    .option("--allow-missing", "send although placeholders have no value")
    .option("--subject <text>", "the subject, or another than the template's")
    .option("--html <html>", "the html part as it stands, in place of a template: HTML, or @file")
    .option("--text <text>", "the text part as it stands, in place of a template: text, or @file")
    .option("--from <mailbox>", "the sender (default: the workspace's)")
    .option("--reply-to <mailbox>", "where answers go")
    .option("--header <name: value>", "a further header field", several)
    .option(
      "--smtp-server <server>",
      "the mail server that they go through, by name or id (default: by the sender)",
    )
    .option("--attach <file>", "a file to send along", several)
    .option("--inline <file=id>", "a file shown within the html, which refers to it as cid:id", several)
    .option("--tag <tag>", "a tag to find them by", several)
    .option("--unsubscribe <list>", "let recipients unsubscribe from this list with one click")
    .option("--scheduled-at <time>", "send them then: an ISO 8601 time, up to 30 days ahead")
    .addOption(
      new Option("--priority <level>", "which go first where many wait (default: normal)").choices([
        "high",
        "normal",
        "low",
      ]),
    )
    .option("--deliver-before <time>", "an ISO 8601 time at which they are no use any more")
    .option("--defer", "where a limit of the plan is reached, wait for the hours with room")
    .option("--sensitive", "keep what they say sealed, and no longer than it takes to send it")
    .option("--skip-invalid", "leave out what can't be sent; otherwise it refuses the whole batch")
    .option("--allow-duplicates", "take an address that is there more than once")
    .option(
      "--size <number>",
      "e-mails a batch, where the file has more (default: 10000)",
      wholeNumber(1, 10_000),
    )
    .option("--dry-run", "tell what would come of it, with everything that stands against it; send nothing")
    .option(
      "--idempotency-key <key>",
      "given again within a day, answers the first time's batches instead of sending others",
    )
    .action(act(run("send")));
  addRouteVerb(command, act, "show <batch>", {
    asks: "GET /emails/batches/{id}",
    summary: "show what became of a batch so far",
    details: "Its e-mails are listed by: posthorn emails list --batch <batch>",
    example: "posthorn batches show 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
    columns: [
      { title: "ID", cell: ({ id }) => id },
      { title: "ACCEPTED", cell: ({ created_at: at }) => readable(at) },
      { title: "ASKED FOR", cell: ({ counts }) => String(counts.total) },
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
    summary: "take back what of a batch still waits",
    example: "posthorn batches cancel 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d",
    confirm: ([named]) => `Cancel what of batch ${named} still waits?`,
    done: ({ cancelled }) => `${cancelled} e-mails are cancelled.`,
  });
};
