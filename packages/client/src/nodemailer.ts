import type { Client } from "./client.ts";
import {
  assertKnown,
  assertOneAuthor,
  fieldsOf,
  type Given,
  headersByName,
  mailboxesOf,
  type Normalized,
  type RawMail,
} from "./nodemailer-fields.ts";

/** Functions that the transport uses of a service in the same process, made by `createPosthorn`. */
export interface SendingService {
  /** Sending functions. */
  emails: {
    send(input: HostMail, call: { workspaceId: number }): Promise<{ id: string }>;
  };
}

/** Functions of a service that knows its workspace: its only one, or that of `posthorn.workspace(id)`. */
export interface WorkspaceSendingService {
  /** Sending functions. */
  emails: {
    send(input: HostMail): Promise<{ id: string }>;
  };
}

/** An e-mail in the form of the library's API. */
export interface HostMail extends Omit<RawMail, "reply_to" | "attachments"> {
  /** Where replies go: mailboxes such as `Ada <ada@example.com>`. */
  replyTo?: string[];
  /** The files; `content` is base64, and `contentId` what the html refers to as `cid:`. */
  attachments?: { filename?: string; content?: string; contentType?: string; contentId?: string }[];
}

/**
 * Destination of the mail: a server by a client with an API key, or a service in this process with one of its
 * workspaces, which a service that knows it needn't be told.
 */
export type PosthornTransportOptions =
  | { client: Client }
  | { posthorn: SendingService; workspaceId: number }
  | { posthorn: WorkspaceSendingService };

/** Result of sending: every recipient is accepted once the e-mail is on disk. */
export interface PosthornSentInfo {
  /** The e-mail's id. */
  messageId: string;
  /** Sender and recipients. */
  envelope: unknown;
  /** Addresses of all recipients. */
  accepted: string[];
  /** Always empty: refusals by mail servers are reported later, by webhooks and in the log. */
  rejected: string[];
  /** The result in a sentence. */
  response: string;
}

/** The parts of nodemailer's message that are used. */
export interface NodemailerMessage {
  /** The input of `sendMail`. */
  data: object;
  /** The message that nodemailer would send. */
  message?: {
    /** The addresses of its header fields. */
    getAddresses?(): object;
  };
  /** Resolves files, addresses and headers. */
  normalize(callback: (error: Error | null, data: object) => void): void;
}

/** A transport for nodemailer's `createTransport`. */
export interface PosthornTransport {
  /** Name in nodemailer's log. */
  name: string;
  /** The version of the API. */
  version: string;
  /** Submits an e-mail. */
  send(mail: NodemailerMessage, callback: (error: Error | null, info: PosthornSentInfo) => void): void;
}

/**
 * Creates a transport with which nodemailer queues e-mails instead of sending them:
 * `createTransport(posthornTransport({ client }))`. Input of `sendMail` without a corresponding field of the service is
 * refused with a `TypeError` that names it. Throws a `TypeError` if it is given neither a client nor a service.
 */
export function posthornTransport(options: PosthornTransportOptions): PosthornTransport {
  assertDestination(options);
  return {
    name: "Posthorn",
    version: "1",
    send(mail, callback) {
      accept(options, mail).then(
        (info) => callback(null, info),
        // Nodemailer's callbacks have no second argument if the first is an error.
        (error: unknown) => (callback as (error: unknown) => void)(error),
      );
    },
  };
}

/** For callers without types, who would learn of it at the first e-mail. */
function assertDestination(options: unknown): void {
  const { client, posthorn } = Object(options) as {
    client?: Partial<Client>;
    posthorn?: Partial<SendingService>;
  };
  if (typeof client?.request === "function" || typeof posthorn?.emails?.send === "function") return;
  throw new TypeError(
    "posthornTransport takes { client }, which createClient makes, or { posthorn }, which createPosthorn makes",
  );
}

async function accept(options: PosthornTransportOptions, mail: NodemailerMessage): Promise<PosthornSentInfo> {
  const given: Given = mail.data;
  assertKnown(given);
  assertOneAuthor(mail.message?.getAddresses?.());
  if (given.headers) given.headers = headersByName(given.headers);
  const data = await new Promise<Normalized>((resolve, reject) =>
    mail.normalize((error, normalized) =>
      error === null ? resolve(normalized as Normalized) : reject(error),
    ),
  );
  const fields = fieldsOf(data);
  const { id } = await submit(options, fields);
  return {
    messageId: id,
    envelope: data.envelope,
    accepted: [data.to, data.cc, data.bcc].flatMap(mailboxesOf).map(({ address }) => address),
    rejected: [],
    response: `accepted as ${id}`,
  };
}

function submit(options: PosthornTransportOptions, fields: RawMail): Promise<{ id: string }> {
  if ("client" in options) return options.client.request("POST /emails/send", fields);
  if ("workspaceId" in options)
    return options.posthorn.emails.send(forHost(fields), { workspaceId: options.workspaceId });
  return options.posthorn.emails.send(forHost(fields));
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
