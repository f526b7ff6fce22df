import type { Runtime } from "../service/runtime.ts";

/**
 * The data of an unsubscribe link. The link contains all of it, so that it works even after the e-mail was deleted
 * (platform.md P10).
 */
export interface Unsubscription {
  workspaceId: number;
  list: string;
  address: string;
  emailId: string;
}

const context = "unsubscribe:link";

/** Returns the unsubscribe URL for a recipient of an e-mail. */
export function createUnsubscribeLink(
  { secrets, config }: Pick<Runtime, "secrets" | "config">,
  { workspaceId, list, address, emailId }: Unsubscription,
): string {
  const id = Buffer.from(emailId.replaceAll("-", ""), "hex").toString("base64url");
  const token = secrets.seal([workspaceId, list, id, address].join(" "), context);
  return `${config.baseUrl.replace(/\/+$/, "")}/u/${token}`;
}

/** Maximum length of a token, longer than any that is issued. */
const maxToken = 1_000;

/** Returns the data of a token that was made with the secret key or a former one. `undefined` if no key opens it. */
export function readUnsubscribeToken(
  { secrets, formerSecrets }: Pick<Runtime, "secrets" | "formerSecrets">,
  token: string,
): Unsubscription | undefined {
  if (token.length > maxToken) return undefined;
  for (const box of [secrets, ...formerSecrets]) {
    try {
      const [workspaceId = "", list = "", id = "", address = ""] = box.open(token, context).split(" ");
      const emailId = Buffer.from(id, "base64url")
        .toString("hex")
        .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
      return { workspaceId: Number(workspaceId), list, address, emailId };
    } catch {
      // This key does not open the token: try the next one.
    }
  }
  return undefined;
}
