import { fieldError, ServiceError } from "../errors.ts";
import type { InboundEndpoint } from "../ports/storage.ts";
import { JsonBeyondLimit, JsonError, parseJson } from "../rules/json.ts";
import { SecretUnreadable } from "../rules/secret-box.ts";
import type { Runtime } from "../service/runtime.ts";
import { verifyWebhook } from "../webhooks/rules/webhook-signature.ts";
import { endpointSecretContext } from "./endpoints/endpoint-view.ts";
import { wholeTextAt } from "./rules/providers/read-at.ts";
import {
  isFromPostmark,
  isFromSendgrid,
  isFromSns,
  isSnsUrl,
  snsCertificateUrl,
  tokenOfMailgun,
} from "./rules/providers/signatures.ts";

/** A received request, before verification. */
export interface ProviderCall {
  /** Header fields by lower-case name. */
  headers: Readonly<Record<string, string>>;
  bytes: Buffer;
}

/** A verified request. */
export interface CheckedCall {
  body: unknown;
  /** What the signature covers in place of the content: it may serve for one content only. */
  token?: string;
}

type Checking = Pick<Runtime, "secrets" | "httpSender" | "snsCertificates" | "now" | "logger">;

const fetchMs = 5_000;

/**
 * Verifies that the provider made a request and returns its body; `undefined` for any other request. Signed content is
 * not interpreted before its signature is verified. Throws `unavailable` if the endpoint's secret can't be read, or Amazon
 * can't be reached.
 */
export async function checkCall(
  runtime: Checking,
  endpoint: InboundEndpoint,
  { headers, bytes }: ProviderCall,
): Promise<CheckedCall | undefined> {
  const { provider } = endpoint;
  const secret = openEndpointSecret(runtime, endpoint);
  const call = { headers, bytes, secret, now: runtime.now() };
  switch (provider) {
    case "postmark":
      return isFromPostmark(call) ? { body: readJson(bytes) } : undefined;
    case "sendgrid":
      return isFromSendgrid(call) ? { body: readJson(bytes) } : undefined;
    case "resend":
    case "generic":
      return verifyWebhook({ secret, headers: standard(headers), body: bytes, now: call.now })
        ? { body: readJson(bytes) }
        : undefined;
    case "mailgun": {
      const body = readJson(bytes);
      const token = tokenOfMailgun(call, body);
      return token === undefined ? undefined : { body, token };
    }
    case "ses":
      return await checkSns(runtime, readJson(bytes), secret);
  }
}

/**
 * Decrypts an endpoint's secret; empty if it has none. Throws `unavailable` if it can't be read, because the secret key was
 * replaced: the relay repeats its calls, and shows its customer the reason.
 */
function openEndpointSecret({ secrets, logger }: Checking, { id, secret: sealed }: InboundEndpoint): string {
  if (sealed === undefined) return "";
  try {
    return secrets.open(sealed, endpointSecretContext(id));
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    logger.error(
      { err: error, endpointId: id },
      "the secret of an inbound endpoint can't be read: remove the endpoint, and add another",
    );
    throw new ServiceError("unavailable", {
      message: "This endpoint's secret can't be read any more: remove the endpoint, and add another.",
      retryAfter: 3_600,
    });
  }
}

/** Returns the headers of Standard Webhooks, which Svix names differently. */
function standard(headers: ProviderCall["headers"]): Record<string, string> {
  const found = Object.fromEntries(
    ["id", "timestamp", "signature"].flatMap((name) => {
      const value = headers[`webhook-${name}`] ?? headers[`svix-${name}`];
      return value === undefined ? [] : [[`webhook-${name}`, value]];
    }),
  );
  return found;
}

/** Verifies a message of Amazon SNS, whose certificate is fetched only from Amazon, and confirms a subscription. */
async function checkSns(
  { httpSender, snsCertificates, now, logger }: Checking,
  message: unknown,
  topic: string,
): Promise<{ body: unknown } | undefined> {
  const url = snsCertificateUrl(message);
  if (url === undefined) return undefined;
  const isVerified = await snsCertificates.isAccepted(
    url,
    () => getFromSns(httpSender, url),
    (pem) => isFromSns(message, pem, topic, now()),
  );
  if (!isVerified) return undefined;
  const confirm = wholeTextAt(message, "SubscribeURL");
  const isNew = wholeTextAt(message, "Type") === "SubscriptionConfirmation" && isSnsUrl(confirm);
  if (isNew && (await getFromSns(httpSender, confirm)) === undefined)
    logger.warn(
      { topic: wholeTextAt(message, "TopicArn") },
      "Amazon SNS refused to confirm a subscription: request its confirmation again",
    );
  return { body: readJson(Buffer.from(wholeTextAt(message, "Message"))) };
}

/**
 * Fetches a document of Amazon SNS; `undefined` if it has none there. Throws `unavailable` if Amazon can't be reached,
 * because SNS repeats a message after a 5xx only.
 */
async function getFromSns(httpSender: Checking["httpSender"], url: string): Promise<string | undefined> {
  const get = { method: "GET", headers: {}, body: "", timeoutMs: fetchMs, allowPrivate: false } as const;
  const answer = await httpSender.post({ ...get, url });
  if (answer.kind === "fault" || answer.status >= 500)
    throw new ServiceError("unavailable", { message: "Amazon SNS can't be reached.", retryAfter: 60 });
  return answer.status === 200 ? answer.body : undefined;
}

/** Maximum values of a body. SendGrid's calls have thousands of reports with a dozen each, and a body has 4 MiB. */
const maxValues = 300_000;

/**
 * Parses a body as JSON; `undefined` if it is none, such as the words by which SNS announces a topic. What a server
 * replied to the relay may contain anything, which must not cost the other reports. Throws `validation_failed` for JSON
 * beyond a limit.
 */
function readJson(bytes: Buffer): unknown {
  try {
    return parseJson(bytes, { allowUnstorable: true, maxValues });
  } catch (error) {
    if (error instanceof JsonBeyondLimit)
      throw fieldError(error.path === "" ? "body" : `body.${error.path}`, error.words);
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
