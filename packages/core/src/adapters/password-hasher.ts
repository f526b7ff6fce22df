import { randomBytes } from "node:crypto";
import { normalizePassword } from "../domain/passwords.ts";

/** Thrown when more passwords wait than the queue holds; callers answer 429. */
export class TooBusy extends Error {
  override name = "TooBusy";

  constructor() {
    super("Too many passwords are being checked at this moment.");
  }
}

/** Hashes passwords with Argon2id, a few at a time, off the event loop. Passwords are normalised here. */
export interface PasswordHasher {
  /** A PHC string to store. Throws {@link TooBusy}. */
  hash(password: string): Promise<string>;
  /** Whether the password fits. Without a hash, or with an unreadable one, it costs the same. Throws {@link TooBusy}. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
  /** Whether the hash was made with other parameters than today's, and should be made anew at login. */
  needsRehash(hash: string): boolean;
}

// OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
/** Argon2id's variant number (RFC 9106 §3.2); the library's own name for it is a const enum. */
const ARGON2ID = 2;

/** Makes the hasher. `concurrency` bounds CPU and memory (19 MiB each), `queue` how many may wait. */
export function createPasswordHasher({
  concurrency = 2,
  queue = 64,
}: {
  concurrency?: number;
  queue?: number;
} = {}): PasswordHasher {
  const limited = createLimit(concurrency, queue);
  const unpadded = (length: number): string => randomBytes(length).toString("base64").replace(/=+$/, "");
  // A hash of nobody's password, in today's form, so that unknown accounts take as long as known ones.
  const dummy = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${unpadded(16)}$${unpadded(32)}`;

  return {
    hash(password) {
      return limited(async () => {
        const { hash } = await import("@node-rs/argon2");
        return hash(normalizePassword(password), { ...PARAMETERS, algorithm: ARGON2ID });
      });
    },

    verify(hash, password) {
      return limited(async () => {
        const { verify } = await import("@node-rs/argon2");
        const normal = normalizePassword(password);
        if (hash !== undefined) {
          try {
            return await verify(hash, normal);
          } catch {
            // A damaged hash is nobody's: fall through to the dummy.
          }
        }
        await verify(dummy, normal);
        return false;
      });
    },

    needsRehash: (hash) => !CURRENT.test(hash),
  };
}

function createLimit(concurrency: number, queue: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running >= concurrency) {
      if (waiting.length >= queue) throw new TooBusy();
      // Whoever finishes hands over its place, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
