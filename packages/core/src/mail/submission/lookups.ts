import type { ApiKey, Repositories, SendableVersion, SendingContext } from "../../ports/storage.ts";
import { createLoader } from "./loader.ts";

/** Reads of the sending path. Those asked for in the same tick go to the storage as one. Nothing is cached. */
export interface Lookups {
  /** By the digest of the key's text, revoked and expired ones included. */
  findApiKey(digest: string): Promise<(ApiKey & { digest: string }) | undefined>;
  findSendingContext(workspaceId: number): Promise<SendingContext | undefined>;
  findActiveVersion(wanted: { workspaceId: number; name: string }): Promise<SendableVersion | undefined>;
}

/** Joined reads on a storage. */
export function createLookups(storage: Repositories): Lookups {
  return {
    findApiKey: createLoader((digests) => storage.apiKeys.findByDigests(digests), {
      ofKey: (digest) => digest,
      ofValue: (key) => key.digest,
    }),
    findSendingContext: createLoader(
      (ids) => {
        // Whoever asks for it is about to send: ids are asked for meanwhile.
        void storage.emails.reserveIds(ids.length);
        return storage.apiKeys.findSendingContexts(ids);
      },
      { ofKey: (id) => id, ofValue: (context) => context.workspaceId },
    ),
    findActiveVersion: createLoader((names) => storage.templates.findActive(names), {
      ofKey: ({ workspaceId, name }) => `${workspaceId} ${name}`,
      ofValue: ({ workspaceId, templateName }) => `${workspaceId} ${templateName}`,
    }),
  };
}

/** The same reads one by one, for a call inside the host's transaction, which sees rows that nobody else does. */
export function createDirectLookups(storage: Repositories): Lookups {
  return {
    findApiKey: async (digest) => (await storage.apiKeys.findByDigests([digest]))[0],
    findSendingContext: async (id) => (await storage.apiKeys.findSendingContexts([id]))[0],
    findActiveVersion: async (wanted) => (await storage.templates.findActive([wanted]))[0],
  };
}
