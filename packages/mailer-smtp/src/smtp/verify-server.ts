import { ask, quit } from "./connection/open-connection.ts";
import { SmtpFault } from "./connection/smtp-fault.ts";
import { judgeSender, namesLogin } from "./conversation/judge-reply.ts";
import { noLogin } from "./conversation/refusal-of.ts";
import { steadyClock } from "./pool/pool-clock.ts";
import { createOpener } from "./pool/server/create-opener.ts";
import type { ServerSettings, SmtpTimeouts } from "./settings/server-settings.ts";

/**
 * Connects, logs in and begins a transaction, which it then abandons. Resolves to the fault in words, or to
 * `undefined`.
 */
export async function verifyServer(
  server: ServerSettings,
  timeouts: SmtpTimeouts,
): Promise<string | undefined> {
  try {
    const connection = await createOpener(server, timeouts, steadyClock)();
    try {
      // Servers that require TLS or a login say so here at the earliest. The null sender is nobody's, so that any other
      // refusal says nothing about other senders.
      const sender = server.envelopeSender ?? "";
      const reply = await ask(connection.channel, `MAIL FROM:<${sender}>`, timeouts.command);
      const lacksLogin = connection.lacksLogin && namesLogin(reply);
      const way = connection.tlsFault === undefined ? "" : `${connection.tlsFault}; in cleartext: `;
      const subject = connection.isLoginUnoffered ? `${noLogin}, and` : "the server";
      const verdict = judgeSender(reply, { lacksLogin, isAccount: false });
      if (verdict === "settings")
        throw new SmtpFault("settings", `${way}${subject} takes no mail with these settings`, reply);
      if (verdict === "closing") throw new SmtpFault("network", "the server takes no mail at present", reply);
      return connection.isLoginUnoffered ? `${noLogin}, so mail goes without` : undefined;
    } finally {
      quit(connection);
    }
  } catch (error) {
    if (!(error instanceof SmtpFault)) throw error;
    return error.words;
  }
}
