import { z } from "zod";
import { uuidField } from "../calls/input/uuid-field.ts";

const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
// Before lower-casing: that makes ASCII of KELVIN SIGN, and the API's JSON Schema knows nothing of it.
const labels = new RegExp(`^${label}(?:\\.${label}){0,3}$`);
const beginning = (example: string) =>
  z
    .string()
    .trim()
    .max(100, "is longer than 100 characters")
    .regex(labels, `is not the beginning of a domain name such as "${example}"`)
    .toLowerCase();

/** Input fields that the verbs on domains share. */
export const domainFields = {
  domainId: uuidField.describe("The domain's id, a UUID."),
  includeSubdomains: z
    .boolean("must be true or false")
    .describe(
      "Whether the domain also covers its subdomains: mail from them is signed with its key. A subdomain that was added as a domain of its own takes precedence. Default false.",
    ),
  returnPath: beginning("bounces").describe(
    "Prefix of the return path's domain, before the domain's name; at most 100 characters. Default `bounces`.",
  ),
  tracking: beginning("tracking")
    .nullable()
    .describe(
      "Prefix of the host in tracked links and images, before the domain's name; at most 100 characters. Used once its record leads to the operator's tracking host. Default null: they have the host of the service itself.",
    ),
  tls: z
    .enum(["opportunistic", "required"], { error: "must be opportunistic or required" })
    .describe(
      "With `required`, mail from the domain is delivered only over TLS, and waits until a mail server offers it. Default `opportunistic`.",
    ),
};
