import { isUnavailable } from "../postgres-errors.ts";

/** Five digits and letters; `P1…` and above are Prisma's own codes. */
const isState = (code: unknown): code is string =>
  typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !/^P[1-9]/.test(code);

interface Told {
  code?: unknown;
  constraint?: unknown;
  constraint_name?: unknown;
  originalCode?: unknown;
  originalMessage?: unknown;
  message?: unknown;
  cause?: unknown;
  driverError?: unknown;
  /** Sequelize's. */
  original?: unknown;
  meta?: { driverAdapterError?: unknown };
}

/** A name in the server's words, whose language has quotation marks of its own. */
const quotedName = /["\u00ab\u00bb]\s?([^"\u00ab\u00bb]+?)\s?["\u00ab\u00bb]/g;

const constraintOf = ({ constraint, constraint_name: name, message, originalMessage }: Told): unknown => {
  if (typeof constraint === "string") return constraint;
  if (typeof name === "string") return name;
  // A constraint is named last, after its table.
  return [...String(originalMessage ?? message).matchAll(quotedName)].at(-1)?.[1];
};

/** Knex puts the statement with all values before the server's words. */
const wordsOf = ({ message, originalMessage }: Told, statement: string): string => {
  const words = String(originalMessage ?? message);
  const isKnex = statement !== "" && words.startsWith(statement.slice(0, 20));
  return isKnex ? words.slice(words.lastIndexOf(" - ") + 3) : words;
};

/**
 * The server's error inside an error of a host's library, with pg's `code` and `constraint`, or that of a lost
 * connection; else the error itself. `statement` is the text that failed.
 */
export const serverErrorOf = (thrown: unknown, statement = ""): unknown => {
  const seen = new Set<object>();
  const find = (error: unknown): unknown => {
    if (typeof error !== "object" || error === null || seen.has(error)) return undefined;
    seen.add(error);
    const told = error as Told;
    const inner =
      find(told.cause) ??
      find(told.driverError) ??
      find(told.original) ??
      find(told.meta?.driverAdapterError);
    if (inner !== undefined) return inner;
    const code = told.originalCode ?? told.code;
    if (!isState(code)) return isUnavailable(error) ? error : undefined;
    return Object.assign(new Error(wordsOf(told, statement), { cause: thrown }), {
      code,
      constraint: constraintOf(told),
    });
  };
  return find(thrown) ?? thrown;
};
