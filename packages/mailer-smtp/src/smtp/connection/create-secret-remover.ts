import type { ServerSettings } from "../settings/server-settings.ts";
import { encode, initialResponses } from "./initial-responses.ts";

/** Characters by which a secret is recognised that was cut off, by the server or where its reply was shortened. */
const recognised = 24;

/**
 * Creates the function that removes a login's password, or a token in its place, from a server's words, in clear and as it
 * was encoded: nobody may learn it from a reply. What follows one that was cut off is removed too.
 */
export function createSecretRemover({
  username = "",
  password = "",
}: Pick<ServerSettings, "username" | "password">): (text: string) => string {
  if (password === "") return (text) => text;
  const encoded = Object.values(initialResponses).map((respond) => respond({ username, secret: password }));
  const forms = [...encoded, encode(password), password].map((form) => ({
    form,
    begin: form.length > recognised ? form.slice(0, recognised) : undefined,
  }));
  return (text) =>
    forms.reduce((said, { form, begin }) => {
      const rest = said.replaceAll(form, "…");
      const end = begin === undefined ? -1 : rest.indexOf(begin);
      return end === -1 ? rest : `${rest.slice(0, end)}…`;
    }, text);
}
