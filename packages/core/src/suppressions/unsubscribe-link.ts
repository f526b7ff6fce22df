import type { Runtime } from "../service/runtime.ts";

/** What a link to unsubscribe is for. It is all in the link, which works when the e-mail is long forgotten (platform.md P10). */
export interface Unsubscription {
  workspaceId: number;
  list: string;
  address: string;
  emailId: string;
}

const context = "unsubscribe:link";

/** The address that an e-mail's recipient unsubscribes at. */
export function createUnsubscribeLink(
  { secrets, config }: Pick<Runtime, "secrets" | "config">,
  { workspaceId, list, address, emailId }: Unsubscription,
): string {
  const id = Buffer.from(emailId.replaceAll("-", ""), "hex").toString("base64url");
  const token = secrets.seal([workspaceId, list, id, address].join(" "), context);
  return `${config.baseUrl.replace(/\/+$/, "")}/u/${token}`;
}

/** Longer than any token that we make. */
const maxToken = 1_000;

/** What a token says, made with the secret key or one of the former; `undefined` for any that we did not make. */
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
      // Another key's, or nobody's.
    }
  }
  return undefined;
}
