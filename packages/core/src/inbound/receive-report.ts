import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import type { InboundEndpoint, InboundProvider } from "../ports/storage/inbound-endpoints.ts";
import { digest } from "../rules/tokens.ts";
import { checkCall } from "./check-call.ts";
import { kindOf } from "./kind-of.ts";
import { providerField } from "./provider-field.ts";
import { readGeneric } from "./rules/providers/generic.ts";
import { readMailgun } from "./rules/providers/mailgun.ts";
import { readPostmark } from "./rules/providers/postmark.ts";
import type { ProviderReport } from "./rules/providers/provider-report.ts";
import { readResend } from "./rules/providers/resend.ts";
import { readSendgrid } from "./rules/providers/sendgrid.ts";
import { readSes } from "./rules/providers/ses.ts";
import { readReport } from "./rules/read-report.ts";
import { type Arrival, storeReport } from "./store-report.ts";

const readers: Record<InboundProvider, (body: unknown) => ProviderReport[]> = {
  ses: readSes,
  postmark: readPostmark,
  sendgrid: readSendgrid,
  mailgun: readMailgun,
  resend: readResend,
  generic: readGeneric,
};

/** A request as it was received. */
interface Received {
  headers: Record<string, string>;
  body: string;
}

/** The result of verifying a call, before anything is done for it. */
export interface Checked {
  endpoint: InboundEndpoint;
  body: unknown;
}

/** Result of a provider's request. */
export interface ReceivedReports {
  /** Number of events about e-mails that were found here. */
  matched: number;
}

/**
 * Processes a relay's own webhook, if its signature is valid: a relay's customer never sees the notifications of the servers behind it
 * (platform.md P7). Throws `not_found` for an unknown path, `unauthenticated` for a call that the provider did not make.
 */
export const receiveReport = useCase({
  access: "anonymous",
  refusals: ["not_found", "unauthenticated"],
  input: z.strictObject({
    provider: providerField.describe("The provider of the webhook."),
    token: z.string().min(1).max(100).describe("The secret part of the endpoint's path."),
    headers: z.record(z.string(), z.string()).describe("Header fields of the request, by lower-case name."),
    body: z
      .string()
      .max(1_048_576, "is longer than 1 MiB")
      .describe("Body of the request, one character per byte. At most 1 MiB."),
  }),
  async prepare({ storage, runtime }, { provider, token, headers, body }): Promise<Checked> {
    const endpoint = await storage.inboundEndpoints.findByToken(digest(token));
    if (endpoint?.provider !== provider) throw new ServiceError("not_found");
    const bytes = Buffer.from(body, "latin1");
    const checked = await checkCall(runtime, endpoint, { headers, bytes });
    if (checked === undefined)
      throw new ServiceError("unauthenticated", {
        message:
          "The call is not verified: it must be signed, or log in, with this endpoint's secret, and be recent.",
      });
    return { endpoint, body: checked.body };
  },
  holder: (_, __, { endpoint }) => endpoint.workspaceId,
  repeats: {
    key: (_, { headers, body }, { endpoint }) =>
      `${endpoint.id} ${isMessage(endpoint, headers)} ${digest(body)}`,
    async find({ storage }, input, checked): Promise<ReceivedReports | undefined> {
      const { workspaceId } = checked.endpoint;
      let matched = 0;
      for (const { raw } of arrivalsOf(input, checked)) {
        if ((await storage.reports.findByDigest(workspaceId, digest(raw))) === undefined) return undefined;
        matched += 1;
      }
      return { matched };
    },
  },
  async run(context, input, checked): Promise<ReceivedReports> {
    let matched = 0;
    for (const arrival of arrivalsOf(input, checked)) {
      const kept = await storeReport(context, arrival);
      matched += kept.matched ? 1 : 0;
    }
    return { matched };
  },
});

/** Whether a request is a returned message, and not a provider's events. */
const isMessage = ({ provider }: InboundEndpoint, headers: Received["headers"]): boolean =>
  provider === "generic" && /^message\/rfc822\b/i.test(headers["content-type"] ?? "");

/** Parses the reports of a request: a message, or a provider's events. */
function arrivalsOf({ headers, body: raw }: Received, { endpoint, body }: Checked): Arrival[] {
  const { workspaceId, provider } = endpoint;
  const common = { workspaceId, isAuthenticated: true } as const;
  if (isMessage(endpoint, headers)) {
    const report = readReport(raw);
    return [{ ...common, ...report, kind: kindOf(report), source: "dsn", raw }];
  }
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
