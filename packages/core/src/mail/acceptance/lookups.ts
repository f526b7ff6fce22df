import { createLoader, createTurn } from "../../calls/loader.ts";
import { listTemplateNames } from "../../content/unknown-template.ts";
import { findSendingDomains, type SenderDomain } from "../../domains/find-sending-domain.ts";
import type {
  ApiKey,
  BoundSender,
  Repositories,
  SendableVersion,
  SendingDomain,
  SendingWorkspace,
  Suppression,
} from "../../ports/storage.ts";
import { createErasureKey } from "../../suppressions/erasure-key.ts";

/** Reads of the sending path. Lookups of the same tick are joined into one read. Nothing is cached. */
export interface Lookups {
  /** Finds a key by the digest of its text, including revoked and expired ones. */
  findApiKey(digest: string): Promise<(ApiKey & { digest: string }) | undefined>;
  findSendingWorkspace(workspaceId: number): Promise<SendingWorkspace | undefined>;
  findActiveVersion(wanted: { workspaceId: number; name: string }): Promise<SendableVersion | undefined>;
  /** Lists the names that an unknown template's may be near to: see `unknown-template.ts`. */
  listTemplateNames(workspaceId: number): Promise<string[]>;
  /** Finds suppressions of all scopes, including expired ones; see `find-suppressed.ts`. */
  findSuppressions(wanted: SuppressionKeys): Promise<Suppression[]>;
  /** Finds the key for the hashes of a workspace's erased addresses, which stay suppressed. */
  erasureKey(workspaceId: number): Buffer | Promise<Buffer | undefined>;
  /** Finds the verified domain of the workspace that covers a sender's. */
  findSendingDomain(sender: SenderDomain): Promise<SendingDomain | undefined>;
  /** Finds what binds the workspace's senders, as it is now; `undefined` if nothing does. */
  findBound(workspaceId: number): Promise<BoundSender | undefined>;
}

/** Keys for a lookup of suppressions. */
interface SuppressionKeys {
  workspaceId: number;
  addressKeys: string[];
}

/** Creates joined lookups on a storage. */
export function createLookups(storage: Repositories): Lookups {
  const atEnd = createTurn();
  const findSuppressions = createLoader(
    (asked: SuppressionKeys[]) => findSuppressionsOf(storage, asked),
    {
      ofKey: nameOf,
      ofValue: ({ name }) => name,
    },
    { atEnd },
  );
  const findDomain = createLoader(
    (senders: SenderDomain[]) => findSendingDomains(storage, senders),
    {
      ofKey: keyOf,
      ofValue: keyOf,
    },
    { atEnd },
  );
  return {
    findBound: createLoader(
      (ids) => storage.workspaces.listBoundSenders(ids),
      { ofKey: (id) => id, ofValue: ({ workspaceId }) => workspaceId },
      { atEnd },
    ),
    findSuppressions: async (wanted) => (await findSuppressions(wanted))?.entries ?? [],
    erasureKey: createErasureKey(storage),
    listTemplateNames: (workspaceId) => listTemplateNames(storage, workspaceId),
    findSendingDomain: async (sender) => (await findDomain(sender))?.found,
    findApiKey: createLoader(
      (digests) => storage.apiKeys.findByDigests(digests),
      {
        ofKey: (digest) => digest,
        ofValue: (key) => key.digest,
      },
      { atEnd },
    ),
    findSendingWorkspace: createLoader(
      (ids) => {
        // A lookup of this kind precedes a send, so ids are reserved meanwhile.
        void storage.emails.reserveIds(ids.length);
        return storage.workspaces.listSending(ids);
      },
      { ofKey: (id) => id, ofValue: (context) => context.workspaceId },
      { atEnd },
    ),
    findActiveVersion: createLoader(
      (names) => storage.templates.findActive(names),
      {
        ofKey: ({ workspaceId, name }) => `${workspaceId} ${name}`,
        ofValue: ({ workspaceId, templateName }) => `${workspaceId} ${templateName}`,
      },
      { atEnd },
    ),
  };
}

const keyOf = ({ workspaceId, domain }: SenderDomain): string => `${workspaceId} ${domain}`;

/**
 * Creates lookups that read one by one: for a call inside the host's transaction, which sees its own uncommitted rows,
 * and for one on assumptions.
 */
export function createDirectLookups(storage: Repositories): Lookups {
  return {
    findBound: async (workspaceId) => (await storage.workspaces.listBoundSenders([workspaceId]))[0],
    findSuppressions: async (wanted) => (await findSuppressionsOf(storage, [wanted]))[0]?.entries ?? [],
    erasureKey: createErasureKey(storage),
    listTemplateNames: (workspaceId) => listTemplateNames(storage, workspaceId),
    findApiKey: async (digest) => (await storage.apiKeys.findByDigests([digest]))[0],
    findSendingWorkspace: async (id) => (await storage.workspaces.listSending([id]))[0],
    findSendingDomain: async (sender) => (await findSendingDomains(storage, [sender]))[0]?.found,
    findActiveVersion: async (wanted) => (await storage.templates.findActive([wanted]))[0],
  };
}

const nameOf = ({ workspaceId, addressKeys }: SuppressionKeys): string =>
  `${workspaceId} ${addressKeys.join(" ")}`;

async function findSuppressionsOf(
  { suppressions }: Pick<Repositories, "suppressions">,
  asked: SuppressionKeys[],
): Promise<{ name: string; entries: Suppression[] }[]> {
  const found = await suppressions.findUnder(
    asked.flatMap(({ workspaceId, addressKeys }) =>
      addressKeys.map((addressKey) => ({ workspaceId, addressKey })),
    ),
  );
  // Usually there is no erasure key.
  if (found.length === 0) return [];
  return asked.map((one) => {
    const keys = new Set(one.addressKeys);
    const entries = found.filter(
      ({ workspaceId, addressKey }) => workspaceId === one.workspaceId && keys.has(addressKey),
    );
    return { name: nameOf(one), entries };
  });
}
