import type { SmtpServerAddress } from "../../ports/mailer.ts";
import type { SmtpServer } from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";
import { passwordContext } from "./smtp-server-view.ts";

/** Makes a server's address and login for the mailer. */
export function serverAddress({ secrets }: Pick<Runtime, "secrets">, server: SmtpServer): SmtpServerAddress {
  const { id, version, host, port, security, username, password } = server;
  return {
    id,
    version,
    host,
    port,
    security,
    ...(password === undefined ? {} : { username, password: secrets.open(password, passwordContext(id)) }),
  };
}
