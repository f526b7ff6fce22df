import { z } from "zod";

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const returnPathName = new RegExp(`^${label}(?:\\.${label}){0,3}$`);

/** Input fields that the verbs on domains share. */
export const domainFields = {
  domainId: z.uuid().describe("The domain's id, a UUID."),
  includeSubdomains: z
    .boolean("must be true or false")
    .describe(
      "Whether the domain also covers its subdomains: mail from them is signed with its key. A subdomain that was added as a domain of its own takes precedence. Default false.",
    ),
  returnPath: z
    .string()
    .trim()
    .toLowerCase()
    .max(100, "is longer than 100 characters")
    .regex(returnPathName, 'is not the beginning of a domain name such as "bounces"')
    .describe(
      "Prefix of the return path's domain, before the domain's name; at most 100 characters. Default `bounces`.",
    ),
  tls: z
    .enum(["opportunistic", "required"], { error: "must be opportunistic or required" })
    .describe(
      "With `required`, mail from the domain is delivered only over TLS, and waits until a mail server offers it. Default `opportunistic`.",
    ),
};
