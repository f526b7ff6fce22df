import { randomBytes } from "node:crypto";
import type { PasswordHasher } from "../../service/runtime.ts";
import { normalizePassword } from "../rules/passwords.ts";

/** Thrown when the queue of waiting passwords is full. Callers answer 429. */
export class TooBusy extends Error {
  override name = "TooBusy";

  constructor() {
    super("Too many passwords are being checked at this moment.");
  }
}

/** Cost of a hash. */
export interface PasswordCost {
  /** Memory in KiB. */
  memoryCost: number;
  /** Number of passes over the memory. */
  timeCost: number;
}

/** OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. */
const recommendedCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 };
/** Argon2id's variant number (RFC 9106 §3.2). The library names it only in a const enum. */
const argon2idNumber = 2;

/**
 * Creates the hasher, by Argon2id, which normalises passwords. `concurrency` bounds CPU and memory (19 MiB for each
 * hash); `queue` is the number of checks, and of new hashes, that may wait. Checks and new hashes have separate queues
 * that take turns, and only one new hash is computed at a time, so that a flood of registrations does not starve logins.
 */
export function createPasswordHasher({
  concurrency = 2,
  queue = 64,
  cost: { memoryCost, timeCost } = recommendedCost,
  load = () => import("@node-rs/argon2"),
}: {
  concurrency?: number;
  queue?: number;
  /** Default: OWASP's recommendation, 19 MiB and two passes. */
  cost?: PasswordCost;
  /** Loads the native module at each use. Replaced in tests. */
  load?: LoadArgon2;
} = {}): PasswordHasher {
  const { logins, newPasswords } = createLanes(concurrency, queue);
  const unpadded = (length: number): string => randomBytes(length).toString("base64").replace(/=+$/, "");
  // A hash that matches no password, with the current parameters, so that unknown accounts take as long as known ones.
  const dummy = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${unpadded(16)}$${unpadded(32)}`;
  const currentHash = new RegExp(
    `^\\$argon2id\\$v=19\\$m=${memoryCost},t=${timeCost},p=1\\$[A-Za-z0-9+/]{22}\\$[A-Za-z0-9+/]{43}$`,
  );

  const hashWith = (password: string, given: { salt?: Buffer } = {}): Promise<string> =>
    newPasswords(async () => {
      const { hash } = await loaded(load);
      const parameters = { memoryCost, timeCost, parallelism: 1, outputLen: 32, algorithm: argon2idNumber };
      return hash(normalizePassword(password), { ...parameters, ...given });
    });

  return {
    hash: (password) => hashWith(password),

    verify(hash, password) {
      return logins(async () => {
        const { verify } = await loaded(load);
        const normal = normalizePassword(password);
        if (hash !== undefined) {
          try {
            return await verify(hash, normal);
          } catch {
            // A damaged hash matches no password: continue with the dummy, for the same duration.
          }
        }
        await verify(dummy, normal);
        return false;
      });
    },

    needsRehash: (hash) => !currentHash.test(hash),

    rehash(hash, password) {
      // One of another length would make the new hash outdated, too.
      const salt = hash.match(/\$([A-Za-z0-9+/]{22})\$[A-Za-z0-9+/]+$/)?.[1];
      return hashWith(password, salt === undefined ? {} : { salt: Buffer.from(salt, "base64") });
    },
  };
}

type LoadArgon2 = () => Promise<Pick<typeof import("@node-rs/argon2"), "hash" | "verify">>;

/** Words the module's own error anew: it tells users of npm to delete their lock file, whatever the cause is. */
async function loaded(load: LoadArgon2): ReturnType<LoadArgon2> {
  try {
    return await load();
  } catch (cause) {
    throw new Error(
      "Passwords can't be hashed: @node-rs/argon2 has no binary for this machine. Install on one like it, without --omit=optional",
      { cause },
    );
  }
}

interface Lane {
  /** How many jobs of this lane may run at once. */
  most: number;
  running: number;
  waiting: (() => void)[];
}

type Limited = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates two queues that share `concurrency` places. */
function createLanes(concurrency: number, queue: number): { logins: Limited; newPasswords: Limited } {
  const logins: Lane = { most: concurrency, running: 0, waiting: [] };
  const newPasswords: Lane = { most: 1, running: 0, waiting: [] };
  /** The order in which lanes are asked for their next job. A lane that was served moves to the end. */
  const turns = [logins, newPasswords];

  const admit = (): void => {
    while (logins.running + newPasswords.running < concurrency) {
      const lane = turns.find(({ waiting, running, most }) => waiting.length > 0 && running < most);
      if (lane === undefined) return;
      turns.push(...turns.splice(turns.indexOf(lane), 1));
      lane.running += 1;
      lane.waiting.shift()?.();
    }
  };

  const limit =
    (lane: Lane): Limited =>
    async (work) => {
      const isFull = lane.running >= lane.most || logins.running + newPasswords.running >= concurrency;
      if (isFull && lane.waiting.length >= queue) throw new TooBusy();
      await new Promise<void>((resolve) => {
        lane.waiting.push(resolve);
        admit();
      });
      try {
        return await work();
      } finally {
        lane.running -= 1;
        admit();
      }
    };
  return { logins: limit(logins), newPasswords: limit(newPasswords) };
}
