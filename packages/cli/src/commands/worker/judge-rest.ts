import type { Posthorn } from "@posthorn/core";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { operatorCall } from "../../program/connection/operator-call.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { countOf } from "../../terminal/count-of.ts";
import { duration } from "../../terminal/durations.ts";

/**
 * Reports what is left when a worker has nothing more to do: nothing, or e-mails held by the operator. Throws
 * `unavailable` if e-mails wait for a mail server that accepts none now.
 */
export async function judgeRest(
  { output }: Pick<CommandContext, "output">,
  posthorn: Posthorn,
  made: string,
): Promise<void> {
  const { due, leased, paused, routes } = await posthorn.queue.status({}, operatorCall());
  // A route goes on when its last hold ends: only a server's has an end.
  const held = routes.flatMap(({ route, due: dueThere, holds }) => {
    const hold = holds.find(({ until }) => until === undefined) ?? holds[0];
    return dueThere > 0 && hold !== undefined ? [{ ...hold, route }] : [];
  });
  if (paused === undefined && held.length === 0) {
    const others =
      leased === 0 ? "" : `, and another worker has ${countOf(leased, "e-mail", "e-mails")} in hand`;
    return output.done(`${made}: nothing more is due${others}.`);
  }
  const waiting = `${made}; ${countOf(due, "e-mail that is due waits", "e-mails that are due wait")}`;
  const stuck = held.find(({ until }) => until !== undefined);
  if (paused !== undefined || stuck?.until === undefined)
    return output.warn(`${waiting}, because delivery is paused: posthorn queue status`);
  throw new CliError(
    "unavailable",
    `${waiting}: route ${stuck.route} is held for another ${duration(stuck.until - posthorn.now())}: ${stuck.reason}.`,
    "See all that is held: posthorn queue status",
  );
}
