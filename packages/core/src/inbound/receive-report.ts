import { z } from "zod";
import { anyText } from "../calls/input/any-text.ts";
import { addNotifications } from "../calls/outbox.ts";
import { type ReadContext, useCase } from "../calls/use-case.ts";
import { fieldError, ServiceError } from "../errors.ts";
import { addEmailEvents } from "../mail/email-events.ts";
import type { EmailEvent, Notifications } from "../mail/notifications.ts";
import type { InboundEndpoint, InboundProvider } from "../ports/storage.ts";
import { addressKey } from "../rules/address-key.ts";
import { parseAddress } from "../rules/addresses.ts";
import { digest } from "../rules/tokens.ts";
import { checkCall } from "./check-call.ts";
import { providerField } from "./provider-field.ts";
import type { InboundReportView } from "./report-view.ts";
import { readGeneric } from "./rules/providers/generic.ts";
import { readMailgun } from "./rules/providers/mailgun.ts";
import { readPostmark } from "./rules/providers/postmark.ts";
import type { ProviderReport } from "./rules/providers/provider-report.ts";
import { readResend } from "./rules/providers/resend.ts";
import { readSendgrid } from "./rules/providers/sendgrid.ts";
import { readSes } from "./rules/providers/ses.ts";
import { readReport } from "./rules/reports/read-report.ts";
import { type Arrival, storeReports } from "./store-report.ts";

const readers: Record<InboundProvider, (body: unknown) => ProviderReport[]> = {
  ses: readSes,
  postmark: readPostmark,
  sendgrid: readSendgrid,
  mailgun: readMailgun,
  resend: readResend,
  generic: readGeneric,
};

/** What is read of a message, and kept. */
const keptBytes = 1_048_576;

/** A request as it was received. */
interface Received {
  headers: Record<string, string>;
  body: string;
}

/** A verified call. */
export interface Checked {
  endpoint: InboundEndpoint;
  /** Its reports, without those already stored. */
  arrivals: Arrival[];
  /** Number of reports already stored that were about e-mails found here. */
  matched: number;
  /** Makes the signature of a call serve for its content alone; `undefined` if it covers the content. */
  bound: Bound | undefined;
}

/** A token that a provider signs in place of the content. */
interface Bound {
  token: string;
  /** Digest of the content that came with it. */
  content: string;
}

/** Reports stored in one transaction: with SQLite, nothing else runs in the process until it ends. */
const pieceSize = 50;

/** Result of a provider's request. */
export interface ReceivedReports {
  /** Number of events about e-mails that were found here. */
  matched: number;
}

/**
 * Processes a relay's own webhook, if its signature is valid: a relay's customer never sees the notifications of the servers behind it
 * (platform.md P7). Throws `not_found` for an unknown path, `unauthenticated` for a call that the provider did not make, or whose signature came with another content before, and `unavailable`, so that the relay repeats its call, if that can't be verified for the moment, or if it names an e-mail by the relay's own id alone while one to the recipient is being sent.
 */
export const receiveReport = useCase({
  access: "anonymous",
  refusals: ["not_found", "unauthenticated"],
  input: z.strictObject({
    provider: providerField.describe("The provider of the webhook."),
    token: z.string().min(1).max(100).describe("The secret part of the endpoint's path."),
    headers: z.record(z.string(), z.string()).describe("Header fields of the request, by lower-case name."),
    body: anyText(
      z
        .string()
        .max(4 * keptBytes, "is longer than 4 MiB")
        .describe(
          "Body of the request, one character per byte. At most 4 MiB; of a message, the first MiB is read.",
        ),
    ),
  }),
  async prepare(context, { provider, token, headers, body }): Promise<Checked> {
    const { storage, runtime } = context;
    const endpoint = await storage.inboundEndpoints.findByToken(digest(token));
    if (endpoint?.provider !== provider)
      throw new ServiceError("not_found", { message: "There is no such endpoint." });
    const bytes = Buffer.from(body, "latin1");
    const checked = await checkCall(runtime, endpoint, { headers, bytes });
    // Some clients send a name and password only once they are asked for them (RFC 7617).
    if (checked === undefined) throw unverified(provider === "postmark" ? "Basic" : undefined);
    const arrivals = byAddress(arrivalsOf(endpoint, { headers, body }, checked.body));
    const { token: signed } = checked;
    const bound =
      signed === undefined ? undefined : { token: signed, content: digest(JSON.stringify(checked.body)) };
    let matched = 0;
    // A call may have thousands. If it fails before the last piece, the provider repeats it.
    while (arrivals.length > pieceSize)
      matched += await storePiece(context, endpoint, arrivals.splice(0, pieceSize));
    return { endpoint, arrivals, matched, bound };
  },
  holder: (_, __, { endpoint }) => endpoint.workspaceId,
  repeats: {
    key: (_, { headers, body }, { endpoint }) =>
      `${endpoint.id} ${isMessage(endpoint, headers)} ${digest(body)}`,
    async find(
      { storage },
      _,
      { endpoint, arrivals, matched: before, bound },
    ): Promise<ReceivedReports | undefined> {
      // Nothing is stored of a call without reports, by which a repeated one could be known, and its token is to be bound.
      if (bound !== undefined && arrivals.length === 0) return undefined;
      const { workspaceId } = endpoint;
      let matched = before;
      for (const { raw } of arrivals) {
        if ((await storage.reports.findByDigest(workspaceId, digest(raw))) === undefined) return undefined;
        matched += 1;
      }
      return { matched };
    },
  },
  async run(context, _, { endpoint, arrivals, matched, bound }): Promise<ReceivedReports> {
    if (bound !== undefined) await bindToken(context, endpoint, bound);
    return { matched: matched + countMatched(await storeReports(context, arrivals)) };
  },
});

const unverified = (scheme?: "Basic"): ServiceError =>
  new ServiceError("unauthenticated", {
    scheme,
    message:
      "The call is not verified: it must be signed, or log in, with this endpoint's secret, and be recent.",
  });

/**
 * Throws `unauthenticated` if a signed token came with another content before: whoever captured a call could report
 * anything by it. The tokens are kept for longer than their signatures are valid.
 */
async function bindToken(
  { storage, now }: Pick<ReadContext<"anonymous">, "storage" | "now">,
  { id }: InboundEndpoint,
  { token, content }: Bound,
): Promise<void> {
  const use = { apiKeyId: `endpoint:${id}`, key: digest(token), bodyDigest: content, answer: "{}" };
  const [first] = await storage.idempotencyKeys.reserve([{ ...use, createdAt: now }], 0);
  if (first !== undefined && first.bodyDigest !== content) throw unverified();
}

/** Stores reports in a transaction of their own. Returns the number of those about e-mails that were found here. */
function storePiece(
  context: ReadContext<"anonymous">,
  { workspaceId }: InboundEndpoint,
  arrivals: readonly Arrival[],
): Promise<number> {
  const { runtime, caller, client, changePiece } = context;
  return changePiece(async (storage, outbox) => {
    const happened: EmailEvent[] = [];
    const storing = {
      ...context,
      storage,
      emitEmailEvent: (emailEvent: EmailEvent) => void happened.push(emailEvent),
      record: (notifications: Notifications) => addNotifications(outbox, notifications),
    };
    const matched = countMatched(await storeReports(storing, arrivals));
    await addEmailEvents(runtime, storage, outbox, happened, { caller, clientIp: client.ip });
    return matched;
  }, workspaceId);
}

const countMatched = (stored: readonly InboundReportView[]): number =>
  stored.filter(({ matched }) => matched).length;

/** Whether a request is a returned message, and not a provider's events. */
const isMessage = ({ provider }: InboundEndpoint, headers: Received["headers"]): boolean =>
  provider === "generic" && /^message\/rfc822\b/i.test(headers["content-type"] ?? "");

/**
 * Sorts reports by the address that they name, those of one address as they came. A piece locks the rows of each: in the
 * order of the relay, calls that come at once, about the same addresses, would deadlock.
 */
function byAddress(arrivals: readonly Arrival[]): Arrival[] {
  const keyed = arrivals.map((arrival) => {
    const [address = ""] = arrival.findings[0]?.addresses ?? [];
    return { arrival, key: addressKey(parseAddress(address) ?? address) };
  });
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ arrival }) => arrival);
}

/** Parses the reports of a request: a message, or a provider's events. */
function arrivalsOf(
  endpoint: InboundEndpoint,
  { headers, body: received }: Received,
  body: unknown,
): Arrival[] {
  const { workspaceId, provider } = endpoint;
  const common = { workspaceId, isAuthenticated: true } as const;
  if (isMessage(endpoint, headers)) {
    const raw = received.slice(0, keptBytes);
    const report = readReport(raw);
    return [{ ...common, ...report, source: "dsn", raw }];
  }
  // SNS has messages in words, too. Of any other, the relay shows its customer the refusal, and repeats it.
  if (body === undefined && provider !== "ses")
    throw fieldError(
      "body",
      `is not JSON${provider === "generic" ? "; send a message as message/rfc822" : ""}`,
    );
  return readers[provider](body).map((report) => {
    const isComplaint = report.findings[0]?.kind === "complaint";
    return {
      ...common,
      ...report,
      kind: isComplaint ? "complaint" : "notification",
      source: "provider",
      raw: Buffer.from(JSON.stringify(report)).toString("latin1"),
    };
  });
}
