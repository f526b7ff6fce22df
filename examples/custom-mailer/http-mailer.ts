import { type Mailer, type MailMessage, type MailResult, readAttachment } from "@posthorn/core";

/** Where a provider takes mail over HTTP, one message a request. */
export interface HttpMailerOptions {
  url: string;
  token: string;
  /** Requests at once. Default 10. */
  concurrency?: number;
}

/**
 * A mailer of your own: hands mail to a provider's HTTP API instead of SMTP. Posthorn keeps the queue, the leases and the retries; a
 * mailer makes one attempt and tells what became of each recipient. It throws for nothing that the network or the provider does.
 */
export function createHttpMailer({ url, token, concurrency = 10 }: HttpMailerOptions): Mailer {
  const post = (body: object): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });

  return {
    concurrency,
    async send(message) {
      const request = await toRequest(message);
      try {
        const response = await post(request);
        return settleAll(message, outcomeOf(response.status), `${response.status} ${response.statusText}`);
      } catch (error) {
        // The request may have arrived: in doubt, and tried again. The Message-ID lets the provider know a duplicate.
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

type Outcome = MailResult["recipients"][number]["outcome"];

/** Accepted, to be tried again, or refused for good. */
function outcomeOf(status: number): Outcome {
  if (status < 300) return "accepted";
  return status === 429 || status >= 500 ? "deferred" : "refused";
}

/** The provider answers for the message as a whole. */
function settleAll({ envelope }: MailMessage, outcome: Outcome, reply: string): MailResult {
  return { recipients: envelope.to.map((address) => ({ address, outcome, reply })), inDoubt: false };
}

async function toRequest(message: MailMessage): Promise<object> {
  return {
    message_id: message.messageId,
    from: message.from,
    // Those still to be reached: a retry leaves out whom the provider has taken already.
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
