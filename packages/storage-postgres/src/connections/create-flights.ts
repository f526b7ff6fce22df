import { setImmediate } from "node:timers";
import type { ClientBase } from "pg";
import { type Answer, runFlight, type Sent, takesNamed, textsOf } from "../statements/named-query.ts";
import type { NameStatement } from "../statements/statement-names.ts";

/** Gathers the statements of one transaction. */
export interface Flights {
  /** Sends the statements of the transaction's beginning with those that follow it. */
  begin(...texts: string[]): Promise<void>;
  /** Sends a statement with others of the same turn; resolves to what `read` makes of its answer. */
  add<T>(text: string, values: readonly unknown[], read: (answer: Answer) => T): Promise<T>;
  /** Sends at once what waits. */
  depart(): void;
}

/**
 * Sends the statements of each turn as one flight: one sync and one answer, and once one fails, the server skips the
 * rest. So nothing is written if the beginning failed, as when it is cancelled: each statement with a sync of its own
 * would be a transaction of its own then. A flight that departs before the beginning is answered starts with `guard`,
 * which fails outside a transaction. `undefined` if the client can't send them so.
 */
export const createFlights = (
  client: ClientBase,
  {
    timeoutMs,
    nameStatement,
    guard,
  }: {
    timeoutMs: number;
    nameStatement: NameStatement | undefined;
    guard: string;
  },
): Flights | undefined => {
  if (!takesNamed(client)) return undefined;
  let waiting: Sent[] = [];
  let beginning: "waiting" | "sent" | "answered" = "waiting";
  const depart = (): void => {
    if (waiting.length === 0) return;
    const statements = waiting;
    waiting = [];
    if (beginning === "sent")
      statements.unshift({
        name: nameStatement?.(guard),
        text: guard,
        values: [],
        resolve() {},
        reject() {},
      });
    else if (beginning === "waiting") beginning = "sent";
    runFlight(client, statements, timeoutMs);
  };
  const add = <T>(text: string, values: readonly unknown[], read: (answer: Answer) => T): Promise<T> =>
    new Promise((resolve, reject) => {
      const sent: Sent = {
        name: nameStatement?.(text),
        text,
        values: textsOf(values),
        resolve: (answer) => resolve(read(answer)),
        reject,
      };
      if (waiting.push(sent) === 1) setImmediate(depart);
    });
  const hasBegun = (): void => {
    beginning = "answered";
  };
  const begin = async (...texts: string[]): Promise<void> => {
    const last = texts.length - 1;
    await Promise.all(texts.map((text, at) => add(text, [], at === last ? hasBegun : () => {})));
  };
  return { begin, add, depart };
};
