import { z } from "zod";

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const returnPathName = new RegExp(`^${label}(?:\\.${label}){0,3}$`);

/** The fields that verbs on domains share. */
export const domainFields = {
  domainId: z.uuid().describe("The domain's id, a UUID."),
  includeSubdomains: z
    .boolean("must be true or false")
    .describe(
      "Whether mail from domains beneath it counts as its own, and is signed with its key. A domain beneath it that was added itself goes first. Default false.",
    ),
  returnPath: z
    .string()
    .trim()
    .toLowerCase()
    .max(100, "is longer than 100 characters")
    .regex(returnPathName, 'is not the beginning of a domain name such as "bounces"')
    .describe(
      "What stands before the domain's name in that of its return paths, at most 100 characters. Default `bounces`.",
    ),
  tls: z
    .enum(["opportunistic", "required"], { error: "must be opportunistic or required" })
    .describe(
      "`required`: mail from it is handed only to mail servers that speak TLS, and waits for one. Default `opportunistic`.",
    ),
};
