import type { Client } from "./client.ts";
import { assertKnown, fieldsOf, type Normalized, type RawMail } from "./nodemailer-fields.ts";

/** What the transport asks of a service in the same process: `createPosthorn` makes one. */
export interface SendingService {
  /** The e-mails. */
  emails: {
    send(input: HostMail, call: { workspaceId: number }): Promise<{ id: string }>;
  };
}

/** An e-mail as the library in this process takes it. */
export interface HostMail extends Omit<RawMail, "reply_to" | "attachments"> {
  replyTo?: string[];
  attachments?: { filename?: string; content?: string; contentType?: string; contentId?: string }[];
}

/** Who takes the mail: a server by a client with an API key, or a service of this process in one of its workspaces. */
export type PosthornTransportOptions = { client: Client } | { posthorn: SendingService; workspaceId: number };

/** What sending answers: everybody is accepted once the e-mail is on disk. */
export interface PosthornSentInfo {
  /** The e-mail's id. */
  messageId: string;
  /** Whom it goes from and to. */
  envelope: unknown;
  /** Every recipient's address. */
  accepted: string[];
  /** Nobody: what a mail server refuses is told later, by webhooks and in the log. */
  rejected: string[];
  /** In words. */
  response: string;
}

/** As much of nodemailer's message as is read. */
export interface NodemailerMessage {
  /** What `sendMail` was given. */
  data: object;
  /** Resolves files, addresses and headers. */
  normalize(callback: (error: Error | null, data: object) => void): void;
}

/** A transport for nodemailer's `createTransport`. */
export interface PosthornTransport {
  /** What it is called in nodemailer's log. */
  name: string;
  /** The version of the API. */
  version: string;
  /** Has an e-mail accepted. */
  send(mail: NodemailerMessage, callback: (error: Error | null, info: PosthornSentInfo) => void): void;
}

/**
 * Makes nodemailer queue e-mails instead of sending them: `createTransport(posthornTransport({ client }))`. What `sendMail` is given and
 * the service has no field for is refused with a `TypeError` that names it.
 */
export function posthornTransport(options: PosthornTransportOptions): PosthornTransport {
  return {
    name: "Posthorn",
    version: "1",
    send(mail, callback) {
      accept(options, mail).then(
        (info) => callback(null, info),
        // Nodemailer's callbacks have no second argument where the first is an error.
        (error: unknown) => (callback as (error: unknown) => void)(error),
      );
    },
  };
}

async function accept(options: PosthornTransportOptions, mail: NodemailerMessage): Promise<PosthornSentInfo> {
  assertKnown(mail.data);
  const data = await new Promise<Normalized>((resolve, reject) =>
    mail.normalize((error, normalized) =>
      error === null ? resolve(normalized as Normalized) : reject(error),
    ),
  );
  const fields = fieldsOf(data);
  const { id } =
    "client" in options
      ? await options.client.request("POST /emails/send", fields)
      : await options.posthorn.emails.send(forHost(fields), { workspaceId: options.workspaceId });
  return {
    messageId: id,
    envelope: data.envelope,
    accepted: [data.to, data.cc, data.bcc].flatMap((each) => (each ?? []).map(({ address }) => address)),
    rejected: [],
    response: `accepted as ${id}`,
  };
}

function forHost({ reply_to: replyTo, attachments = [], ...rest }: RawMail): HostMail {
  const files = attachments.map(
    ({ content_type: contentType, content_id: contentId, filename, content }) => ({
      ...(filename === undefined ? {} : { filename }),
      ...(content === undefined ? {} : { content }),
      ...(contentType === undefined ? {} : { contentType }),
      ...(contentId === undefined ? {} : { contentId }),
    }),
  );
  return {
    ...rest,
    ...(Array.isArray(replyTo) ? { replyTo } : {}),
    ...(files.length === 0 ? {} : { attachments: files }),
  };
}
