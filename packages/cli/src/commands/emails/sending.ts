import type { Mail, RequestOptions } from "@posthorn/client";
import type { Api } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { defined } from "../../program/verbs/defined.ts";
import { type Waiting, waitForEmail } from "../../service/wait-for-email.ts";
import { readContent } from "../../terminal/read-content.ts";
import { readData, readMetadata, readTextFile } from "../../terminal/read-input.ts";
import { readable, reportDone } from "../../terminal/report-done.ts";
import { reportSettled } from "../../terminal/report-settled.ts";
import { reportDryRun } from "./report-dry-run.ts";
import { openSentFiles, outputFiles } from "./sent-files.ts";
import { findSmtpServer, type SentOptions, sentFields } from "./sent-options.ts";

interface SendOptions extends SentOptions, Waiting {
  file?: string[];
  to: string[];
  cc?: string[];
  bcc?: string[];
  sender?: string;
  calendar?: string;
  metadata?: string[];
  dedupeKey?: string;
}

export async function send(context: CommandContext, options: SendOptions): Promise<void> {
  const given = await readMail(options);
  const files = openSentFiles(options);
  const api = await context.inWorkspace(options.workspace);
  const { smtpServer: server } = options;
  const mail = {
    ...given,
    ...(server === undefined ? {} : { smtp_server_id: await findSmtpServer(api, server) }),
    attachments: await outputFiles(api, files, options),
  };
  if (options.dryRun === true) return reportDryRun(context, await dryRun(api, mail));
  const { idempotencyKey } = options;
  const repeat = { deduplicated: false, replayed: false };
  const email = await ask(api, mail, {
    ...defined({ idempotencyKey }),
    onDeduplicated: () => {
      repeat.deduplicated = true;
    },
    // Without a key of the caller's, a repetition is one of the client's own retries.
    ...(idempotencyKey !== undefined && {
      onReplayed: () => {
        repeat.replayed = true;
      },
    }),
  });
  const when = email.scheduled_at === null ? "accepted" : `scheduled for ${readable(email.scheduled_at)}`;
  const state =
    repeat.deduplicated || repeat.replayed ? "was already accepted, under the same key" : `is ${when}`;
  const words = `${email.id} ${state}: "${email.subject}" to ${email.to.join(", ")}.`;
  if (options.wait !== true) return reportDone(context, words, { ...email, ...repeat });
  // Whatever ends the wait, such as Ctrl-C, a send that seemed to have failed would be repeated.
  context.output.done(words);
  const { waitSeconds: seconds } = options;
  reportSettled(context, await waitForEmail(context, api, { emailId: email.id, seconds }));
}

const ask = ({ request }: Api, mail: Mail, options: RequestOptions) =>
  "template" in mail
    ? request("POST /emails/send-template", mail, options)
    : request("POST /emails/send", mail, options);

const dryRun = (api: Api, mail: Mail) =>
  "template" in mail ? api.dryRun("POST /emails/send-template", mail) : api.dryRun("POST /emails/send", mail);

/** Reads the mail to send from the options. Throws a usage error unless it is either a template or a content. */
async function readMail(options: SendOptions): Promise<Mail> {
  const { template, subject, data, html, text, file: files = [] } = options;
  const isRaw = html !== undefined || text !== undefined || files.length > 0;
  if ((template === undefined) !== isRaw)
    throw new CliError(
      "usage",
      "Give either --template or the content: --html, --text or --file.",
      "Try: posthorn emails send --help",
    );
  const { to, cc, bcc, sender, dedupeKey: dedupe_key, metadata, calendar } = options;
  const shared = {
    ...sentFields(options),
    to,
    ...defined({ cc, bcc, sender, dedupe_key }),
    ...(calendar === undefined ? {} : { calendar: await readTextFile(calendar) }),
    ...(metadata === undefined ? {} : { metadata: await readMetadata(metadata) }),
  };
  if (template !== undefined)
    return {
      ...shared,
      template,
      ...defined({ subject, allow_missing: options.allowMissing }),
      ...(data === undefined ? {} : { template_data: await readData(data) }),
    };
  if (subject === undefined)
    throw new CliError(
      "usage",
      "Content without a template needs a --subject.",
      "An example: --subject Hello",
    );
  if (data !== undefined || options.allowMissing === true)
    throw new CliError(
      "usage",
      "--data and --allow-missing need --template: other content has no placeholders.",
    );
  return { ...shared, subject, ...(await readContent({ html, text, files })) };
}
