import { z } from "zod";
import type { InboundProvider } from "../ports/storage/inbound-endpoints.ts";

const providers = [
  "ses",
  "postmark",
  "sendgrid",
  "mailgun",
  "resend",
  "generic",
] as const satisfies InboundProvider[];

/** Whose webhooks come. */
export const providerField = z.enum(providers);
