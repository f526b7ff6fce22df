import type { ServerSettings } from "../settings/server-settings.ts";

/**
 * Removes a login's password from a server's words, in clear and as it was encoded: nobody may learn it from a reply.
 */
export function withoutSecrets(
  text: string,
  { username = "", password = "" }: Pick<ServerSettings, "username" | "password">,
): string {
  if (password === "") return text;
  const encode = (plain: string): string => Buffer.from(plain).toString("base64");
  const forms = [encode(`\0${username}\0${password}`), encode(password), password];
  return forms.reduce((said, form) => said.replaceAll(form, "…"), text);
}
