import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { fieldError } from "../../errors.ts";
import type { InboundProvider } from "../../ports/storage.ts";
import { createToken, digest } from "../../rules/tokens.ts";
import { createWebhookSecret } from "../../webhooks/rules/webhook-signature.ts";
import { assertWithinLimit } from "../../workspaces/plans/plan-limit.ts";
import { providerField } from "../provider-field.ts";
import { endpointSecretContext, type InboundEndpointView, viewEndpoint } from "./endpoint-view.ts";

/** Maximum endpoints of one workspace. */
const maxEndpoints = 20;

/** The secret that each provider's requests are verified with; `words` follow the field's name in an error. */
const needed: Record<InboundProvider, { words: string; shape: RegExp; isOptional?: true }> = {
  ses: {
    words: "must be the SNS topic's ARN, or left out",
    shape: /^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w.-]+$/,
    isOptional: true,
  },
  postmark: {
    words:
      "must be user:password, as in the webhook's URL at Postmark, with a password of at least 12 characters",
    shape: /^[^:\s]+:\S{12,}$/,
  },
  sendgrid: {
    words: "must be the verification key that SendGrid shows",
    shape: /^[A-Za-z0-9+/]{80,200}={0,2}$/,
  },
  mailgun: { words: "must be the HTTP webhook signing key of Mailgun", shape: /^[\w-]{16,200}$/ },
  resend: {
    words: "must be the signing secret that Resend shows, whsec_…",
    shape: /^whsec_[\w+/-]{16,200}={0,2}$/,
  },
  generic: {
    words: "must be whsec_ and base64, or left out to generate one",
    shape: /^whsec_[A-Za-z0-9+/]{32,200}={0,2}$/,
    isOptional: true,
  },
};

/** A new endpoint, with the values that are shown only once. */
export interface CreatedInboundEndpoint extends InboundEndpointView {
  /** URL for the provider's webhooks; shown only once. */
  url: string;
  /** Signing secret `whsec_…` if it was generated; shown only once. */
  secret: string | undefined;
}

/**
 * Creates an endpoint for a relay's webhooks. Its path is shown only once, and so is the signing secret if it was generated (platform.md
 * P7).
 */
export const createEndpoint = useCase({
  access: "inbound:write",
  refusals: ["plan_limit_reached"],
  locksWorkspace: true,
  input: z.strictObject({
    provider: providerField.describe(
      "Provider of the webhooks: ses, postmark, sendgrid, mailgun, resend or generic.",
    ),
    secret: z
      .string()
      .trim()
      .max(1_000, "is longer than 1,000 characters")
      .optional()
      .describe(
        "Secret for verifying the provider's requests: postmark's user:password with a password of at least 12 characters, the keys of sendgrid and mailgun, the secret of resend or generic; for ses the only topic that is accepted.",
      ),
  }),
  async run(
    { storage, workspace, runtime, config, now, emit },
    { provider, secret: given },
  ): Promise<CreatedInboundEndpoint> {
    const { words, shape, isOptional } = needed[provider];
    if (given === undefined ? isOptional !== true : !shape.test(given)) throw fieldError("secret", words);
    await assertWithinLimit("max_inbound_endpoints", maxEndpoints, async () => {
      const existing = await storage.inboundEndpoints.list(workspace.id, { offset: 0, limit: 1 });
      return existing.total;
    });
    const id = runtime.newId();
    const token = createToken();
    const made = provider === "generic" && given === undefined ? createWebhookSecret() : undefined;
    const secret = given ?? made;
    const endpoint = {
      id,
      workspaceId: workspace.id,
      provider,
      secret: secret === undefined ? undefined : runtime.secrets.seal(secret, endpointSecretContext(id)),
      createdAt: now,
    };
    await storage.inboundEndpoints.insert({ ...endpoint, tokenDigest: digest(token) });
    emit("inbound_endpoint.created", { metadata: { endpoint_id: id, provider } });
    const url = `${config.baseUrl}/api/v1/inbound/${provider}/${token}`;
    return { ...viewEndpoint(endpoint), url, secret: made };
  },
});
