import {
  type Mailer,
  type MailHold,
  type MailMessage,
  type MailResult,
  readAttachment,
} from "@posthorn/core";

/** Options of a provider that accepts mail over HTTP, one message per request. */
export interface HttpMailerOptions {
  url: string;
  token: string;
  /** Maximum number of requests at once. Default 10. */
  concurrency?: number;
}

/**
 * A mailer of your own: sends mail through a provider's HTTP API instead of SMTP. Posthorn keeps the queue, the leases
 * and the retries; a mailer makes one attempt and returns the outcome of each recipient. It does not throw for errors
 * of the network or the provider.
 */
export function createHttpMailer({ url, token, concurrency = 10 }: HttpMailerOptions): Mailer {
  const post = (body: object): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      // Less than the 25 s that a stop of the service waits: a request that is cut off may be made again.
      signal: AbortSignal.timeout(20_000),
    });

  return {
    concurrency,
    async send(message, { signal, isStillOurs } = {}) {
      const request = await toRequest(message);
      // The service stops, or this process stood still for so long that another may send the message: what has not begun
      // goes back to the queue. A request under way goes on to its end: if the signal cut it off, it would be in doubt,
      // and be made again.
      if (signal?.aborted === true || isStillOurs?.() === false)
        return { ...settleAll(message, "deferred", closed.reason), held: closed };
      try {
        const response = await post(request);
        return settleAll(message, outcomeOf(response.status), `${response.status} ${response.statusText}`);
      } catch (error) {
        // The request may have arrived: the attempt is in doubt and is retried. The Message-ID lets the provider detect
        // a duplicate.
        return { ...settleAll(message, "deferred", String(error)), inDoubt: true };
      }
    },
    async verify() {
      try {
        const { status } = await post({});
        return status === 401 ? "the provider refuses the token" : undefined;
      } catch (error) {
        return String(error);
      }
    },
    close: async () => {},
  };
}

const closed: MailHold = {
  cause: "closed",
  reason: "this process does not send it any more",
  retryAfterMs: 1_000,
};

type Outcome = MailResult["recipients"][number]["outcome"];

/** Returns the outcome: accepted, to be retried, or refused for good. */
function outcomeOf(status: number): Outcome {
  if (status < 300) return "accepted";
  return status === 429 || status >= 500 ? "deferred" : "refused";
}

/** The provider responds for the message as a whole. */
function settleAll({ envelope }: MailMessage, outcome: Outcome, reply: string): MailResult {
  return { recipients: envelope.to.map((address) => ({ address, outcome, reply })), inDoubt: false };
}

async function toRequest(message: MailMessage): Promise<object> {
  return {
    message_id: message.messageId,
    from: message.from,
    // Only open recipients: a retry leaves out those that the provider has accepted already.
    recipients: message.envelope.to,
    to: message.to,
    cc: message.cc,
    reply_to: message.replyTo,
    subject: message.subject,
    html: message.html,
    text: message.text,
    headers: message.headers,
    attachments: await Promise.all(
      message.attachments.map(async ({ base64, ...rest }) => {
        const content = await readAttachment({ base64 });
        return { ...rest, content: content.toString("base64") };
      }),
    ),
  };
}
