import { z } from "zod";
import type { InboundProvider } from "../ports/storage.ts";

const providers = [
  "ses",
  "postmark",
  "sendgrid",
  "mailgun",
  "resend",
  "generic",
] as const satisfies InboundProvider[];

/** Input field with the provider of an endpoint. */
export const providerField = z.enum(providers);
