import type { SmtpServerAddress } from "../../ports/mailer.ts";
import type { SmtpServer } from "../../ports/storage.ts";
import { openSecret, SecretUnreadable } from "../../rules/secret-box.ts";
import type { Runtime } from "../../service/runtime.ts";
import { passwordContext } from "./smtp-server-view.ts";

/** Makes a server's address and login for the mailer. Returns the error if its password can't be read. */
export function serverAddress(
  { secrets }: Pick<Runtime, "secrets">,
  server: SmtpServer,
): SmtpServerAddress | SecretUnreadable {
  const { id, version, host, port, security, username, password: sealed } = server;
  const place = { id, version, host, port, security };
  if (sealed === undefined) return place;
  const [name, remedy] = ["the mail server's password", "set it again"];
  try {
    const password = openSecret(secrets, { sealed, context: passwordContext(id), name, remedy });
    return { ...place, username, password };
  } catch (error) {
    if (error instanceof SecretUnreadable) return error;
    throw error;
  }
}
