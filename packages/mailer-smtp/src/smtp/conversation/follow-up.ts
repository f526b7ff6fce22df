import type { PooledConnection } from "../pool/line/create-idle-connections.ts";
import type { ServerAccess } from "../pool/server/server-access.ts";
import { envelopeCommands, maxRecipients } from "./envelope-commands.ts";
import { isSpent } from "./note-behaviour.ts";
import { refusalOf } from "./refusal-of.ts";
import { statedLimit } from "./stated-limit.ts";

/** Ms after which an envelope may be sent behind a content again, if that was tried in vain or a content took long. */
const aheadPause = 60_000;

/**
 * The envelope of the message that goes next on a connection, to be sent with the end of a content. Only one connection
 * tries what the server makes of that.
 */
export function followUp(
  { behaviour, line, clock, dsn }: ServerAccess,
  pooled: PooledConnection,
): string | undefined {
  const now = clock.now();
  const mayTry = behaviour.ahead === "works" || (behaviour.ahead === "untried" && now >= behaviour.aheadFrom);
  const { connection } = pooled;
  if (!mayTry || connection.isDovecot || behaviour.pipelining !== "works") return undefined;
  if (isSpent(behaviour, pooled)) return undefined;
  const most = Math.min(maxRecipients, statedLimit(connection.extensions, "RCPTMAX"));
  const next = line.follow(pooled, {
    fits: (delivery) => delivery.to.length <= most && refusalOf(delivery, connection) === undefined,
    late() {
      if (behaviour.ahead === "works") behaviour.ahead = "untried";
      behaviour.aheadFrom = clock.now() + aheadPause;
    },
  });
  if (next === undefined) return undefined;
  behaviour.aheadFrom = now + aheadPause;
  const { mail, recipients } = envelopeCommands(
    next,
    connection.extensions,
    behaviour.refusesReports ? [] : dsn,
  );
  return `${mail}${recipients.join("")}DATA\r\n`;
}
