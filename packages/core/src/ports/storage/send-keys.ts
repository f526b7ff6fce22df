/** Answers kept for a caller that tries again (`Idempotency-Key`). */
export interface IdempotencyKeys {
  /**
   * Keeps each answer under its key, unless a younger one than `notBefore` is there: then that one is returned.
   * Requests are taken in order, also where two carry the same key.
   */
  reserve(
    requests: { apiKeyId: string; key: string; bodyDigest: string; answer: string; createdAt: number }[],
    notBefore: number,
  ): Promise<({ bodyDigest: string; answer: string } | undefined)[]>;
  /** Keeps other answers under keys that are reserved. */
  answer(requests: { apiKeyId: string; key: string; answer: string }[]): Promise<void>;
  /** Forgets keys again whose request came to nothing. */
  release(requests: { apiKeyId: string; key: string }[]): Promise<void>;
  /** The answer that is kept under a key, if it is no older than `notBefore`. */
  find(
    apiKeyId: string,
    key: string,
    notBefore: number,
  ): Promise<{ bodyDigest: string; answer: string } | undefined>;
  /** Removes what is from before a time, at most `limit` rows; how many. */
  deleteBefore(before: number, limit: number): Promise<number>;
}

/** An e-mail that is sent once under its key, whatever is asked for later. */
export interface DedupeKey {
  /** The workspace's number. */
  workspaceId: number;
  /** As it was given. */
  key: string;
  /** The e-mail that has it. */
  emailId: string;
}

/** Keys under which a workspace sends one e-mail, ever (platform.md P1). */
export interface DedupeKeys {
  /** Keeps each key for its e-mail, in order; for those that are taken, the id of the e-mail that has them. */
  reserve(requests: (DedupeKey & { createdAt: number })[]): Promise<(string | undefined)[]>;
  /** Forgets keys again whose e-mail was not accepted after all. */
  release(requests: DedupeKey[]): Promise<void>;
  /** Those of the keys that are taken, in no order. */
  find(workspaceId: number, keys: string[]): Promise<DedupeKey[]>;
}
