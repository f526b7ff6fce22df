import type { Suppression } from "../../ports/storage.ts";
import { allKeysOf } from "../../suppressions/find-suppressed.ts";
import type { Lookups } from "../acceptance/lookups.ts";

/**
 * Lookups of one batch: rows that several e-mails need are read once, and suppressions are read for many addresses at a
 * time.
 */
export interface BatchLookups extends Lookups {
  /** Reads the suppressions of these addresses in advance. */
  expect(workspaceId: number, addresses: readonly string[]): Promise<void>;
}

export function createBatchLookups(lookups: Lookups): BatchLookups {
  let expected = new Map<string, Suppression[]>();
  return {
    ...lookups,
    findSendingDomain: once(lookups.findSendingDomain, ({ domain }) => domain),
    findActiveVersion: once(lookups.findActiveVersion, ({ name }) => name),
    listTemplateNames: once(lookups.listTemplateNames, String),
    async expect(workspaceId, addresses) {
      const keys = await allKeysOf(lookups, workspaceId, addresses);
      const addressKeys = [...new Set(keys.flat())];
      const found = await lookups.findSuppressions({ workspaceId, addressKeys });
      expected = Map.groupBy(found, ({ addressKey }) => addressKey);
    },
    findSuppressions: async ({ addressKeys }) =>
      expected.size === 0 ? [] : addressKeys.flatMap((key) => expected.get(key) ?? []),
  };
}

/** Caches results by name. A cache serves one workspace and one batch. */
function once<K, V>(find: (key: K) => Promise<V>, nameOf: (key: K) => string): (key: K) => Promise<V> {
  const found = new Map<string, Promise<V>>();
  return (key) => {
    const name = nameOf(key);
    const known = found.get(name) ?? find(key);
    found.set(name, known);
    return known;
  };
}
