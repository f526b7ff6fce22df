import type { Reply } from "@posthorn/client";
import type { Api } from "../../program/connection/api.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { defined } from "../../program/verbs/defined.ts";
import type { Output } from "../../terminal/output.ts";
import { shownText } from "../../terminal/safe-text.ts";
import { writeData } from "../../terminal/write-data.ts";

/** The parts that can be shown alone. */
export const parts = ["html", "text", "source"] as const;
export type Part = (typeof parts)[number];

type Content = Reply<"GET /workspaces/current/emails/{id}/content">;

/** Writes one part of an e-mail's content. Throws `not_found` if it has no such part. */
export async function showContent(
  { output, signal }: { output: Output; signal: AbortSignal },
  api: Api,
  { id, part }: { id: string; part: Part },
): Promise<void> {
  const content = await api.request("GET /workspaces/current/emails/{id}/content", { id });
  if (part === "source") {
    const source = (await composeSource(api, id, content)).toString("latin1");
    if (output.jsonAsked) output.record({}, { source });
    else await writeData(shownText(source), signal);
    return;
  }
  if (content[part] === "")
    throw new CliError(
      "not_found",
      `The e-mail has no ${part} part.`,
      "Try --source, which shows the whole message.",
    );
  if (output.jsonAsked) output.record({}, { [part]: content[part] });
  else output.data(shownText(content[part]));
}

/** The complete message except for what is added when it is sent, such as a signature. */
async function composeSource(api: Api, id: string, content: Content): Promise<Buffer> {
  const { composeMessage } = await import("@posthorn/mailer-smtp/internal");
  const { attachments } = await api.request("GET /workspaces/current/emails/{id}", { id });
  const files = attachments.map(({ position, filename, content_type, content_id, size }) => ({
    filename,
    contentType: content_type,
    size,
    ...defined({ contentId: content_id ?? undefined }),
    async *base64() {
      const line = "GET /workspaces/current/emails/{id}/attachments/{position}";
      const bytes = await api.request(line, { id, position: String(position) });
      const lines =
        Buffer.from(bytes)
          .toString("base64")
          .match(/.{1,76}/g) ?? [];
      yield Buffer.from(lines.map((one) => `${one}\r\n`).join(""), "latin1");
    },
  }));
  const { from, sender, to, cc, reply_to, subject, date, message_id, headers, html, text, calendar } =
    content;
  return await composeMessage({
    emailId: id,
    messageId: message_id,
    date: Date.parse(date),
    from,
    ...defined({ sender: sender ?? undefined, calendar: calendar ?? undefined }),
    to,
    cc,
    replyTo: reply_to,
    subject,
    headers,
    html,
    text,
    attachments: files,
    envelope: { from: from.address, to: [] },
  });
}
