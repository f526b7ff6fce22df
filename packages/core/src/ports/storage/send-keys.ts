/** Stored answers for requests that are repeated (`Idempotency-Key`). */
export interface IdempotencyKeys {
  /**
   * Stores each answer under its key, unless there is one younger than `notBefore`: then that one is returned. Requests
   * are handled in order, also if two have the same key.
   */
  reserve(
    requests: { apiKeyId: string; key: string; bodyDigest: string; answer: string; createdAt: number }[],
    notBefore: number,
  ): Promise<({ bodyDigest: string; answer: string } | undefined)[]>;
  /** Replaces the answers under reserved keys. */
  answer(requests: { apiKeyId: string; key: string; answer: string }[]): Promise<void>;
  /** Removes keys whose request failed. */
  release(requests: { apiKeyId: string; key: string }[]): Promise<void>;
  /** Finds the answer under a key, if it is not older than `notBefore`. */
  find(
    apiKeyId: string,
    key: string,
    notBefore: number,
  ): Promise<{ bodyDigest: string; answer: string } | undefined>;
  /** Deletes rows from before a time, at most `limit`. Returns their number. */
  deleteBefore(before: number, limit: number): Promise<number>;
}

/** A key under which one e-mail is sent only once. */
export interface DedupeKey {
  /** The workspace's number. */
  workspaceId: number;
  /** The key as given. */
  key: string;
  /** Id of the e-mail that has the key. */
  emailId: string;
}

/** Keys under which a workspace sends at most one e-mail, ever (platform.md P1). */
export interface DedupeKeys {
  /** Stores each key for its e-mail, in order. For keys that are taken, returns the id of the e-mail that has them. */
  reserve(requests: (DedupeKey & { createdAt: number })[]): Promise<(string | undefined)[]>;
  /** Removes keys whose e-mail was not accepted after all. */
  release(requests: DedupeKey[]): Promise<void>;
  /** Finds those of the keys that are taken, in no order. */
  find(workspaceId: number, keys: string[]): Promise<DedupeKey[]>;
}
