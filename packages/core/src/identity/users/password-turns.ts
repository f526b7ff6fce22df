import { ServiceError } from "../../errors.ts";
import { createTurns, type Turns } from "../../ports/turns.ts";

/** Attempts of an account, or of a client, that are under way at once: as many as passwords are hashed at once. */
const each = 2;
/** Ms that an attempt waits for its turn. */
const patienceMs = 10_000;

/** Creates the turns that attempts at passwords take, for one process. */
export const createPasswordTurns = (): Turns =>
  createTurns({
    all: Number.POSITIVE_INFINITY,
    each,
    patience: { ms: patienceMs, error: () => new ServiceError("rate_limited", { retryAfter: 1 }) },
  });
