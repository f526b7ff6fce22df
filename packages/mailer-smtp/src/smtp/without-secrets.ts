import type { ServerSettings } from "./server-settings.ts";

/** Takes a login's password out of what a server says, as it stands and as it was sent: nobody is to learn it from a reply. */
export function withoutSecrets(
  text: string,
  { username = "", password = "" }: Pick<ServerSettings, "username" | "password">,
): string {
  if (password === "") return text;
  const encode = (plain: string): string => Buffer.from(plain).toString("base64");
  const forms = [encode(`\0${username}\0${password}`), encode(password), password];
  return forms.reduce((said, form) => said.replaceAll(form, "…"), text);
}
