import { z } from "zod";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { assertImportGoesOn } from "../../files/assert-import-goes-on.ts";
import { checkedPieces } from "../../files/checked-pieces.ts";
import { createImportEntry, type ImportEntry } from "../../files/import-entry.ts";
import { importFields } from "../../files/import-fields.ts";
import { listFileFields, openListFile, type Rejections, reject } from "../../files/list-file.ts";
import { readUntilFault } from "../../files/read-lines.ts";
import type { PutOutcome, Repositories, Suppression } from "../../ports/storage.ts";
import { type ImportedEntry, isImportFault, readEntry } from "../rules/read-entry.ts";
import { underHashes } from "../under-hashes.ts";
import { suppressionLines } from "./suppression-lines.ts";

/** Number of suppressions stored in one transaction: other transactions run between two of them. */
const chunkSize = 1_000;
/** Result of an import. */
export interface SuppressionImport extends Rejections {
  /** Number of new suppressions. */
  added: number;
  /** Number of existing suppressions whose end was extended. */
  updated: number;
  /** Number of existing suppressions that were left unchanged. */
  unchanged: number;
  /** Number of the last line that was read. */
  lastLine: number;
}

const input = z.strictObject({
  ...listFileFields,
  ...importFields,
  dryRun: z
    .boolean()
    .default(false)
    .describe("Whether to only check the file and count its lines, without storing anything. Default false."),
  fromLine: z
    .int()
    .min(1)
    .default(1)
    .describe(
      "The line to begin at, to continue an import that was interrupted. The first line holds the names of the columns. Default 1.",
    ),
});

/**
 * Suppresses the addresses of a file (platform.md P8), a thousand per transaction: those stored stay even if a later
 * line can't be read, and importing a file twice is safe. One event tells of all that was stored. Recognises exports of
 * Amazon SES, SendGrid, Postmark and Mailgun.
 */
export const importSuppressions = useCase({
  access: "suppressions:write",
  refusals: ["not_found", "payload_too_large", "unsupported_media_type"],
  // Each thousand lines have a transaction of their own.
  reads: true,
  input,
  async run(context, { dryRun, fromLine, importId, more, ...list }): Promise<SuppressionImport> {
    const told = { type: "suppression.imported", metadata: { count: 0 }, sum: "count" } as const;
    const entry = createImportEntry(context, { importId, more }, told);
    const done: SuppressionImport = {
      added: 0,
      updated: 0,
      unchanged: 0,
      rejected: [],
      rejectedTotal: 0,
      lastLine: 0,
    };
    const target = dryRun ? createPreview(context) : createStore(context, entry);
    let chunk: Suppression[] = [];
    const keep = async (isLast: boolean): Promise<void> => {
      for (const outcome of await target.keep(chunk, isLast)) done[outcome] += 1;
      chunk = [];
    };
    try {
      const { format, bytes } = openListFile(list);
      const file = readUntilFault(bytes, format, suppressionLines);
      for await (const { line, fields, value, fault } of file.lines) {
        done.lastLine = line;
        if (line < fromLine) continue;
        const read = fields === undefined ? { value, message: fault } : readEntry(fields, context.now);
        if (isImportFault(read)) {
          reject(done, { line, ...read });
          continue;
        }
        chunk.push(entryOf(context, read));
        if (chunk.length >= chunkSize) await keep(false);
      }
      await keep(true);
      file.assertWhole();
    } catch (error) {
      await target.giveUp();
      throw error;
    }
    return done;
  },
});

type Context = ReadContext<"suppressions:write">;

const entryOf = ({ workspace, caller }: Context, entry: ImportedEntry): Suppression => ({
  ...entry,
  workspaceId: workspace.id,
  origin: "import",
  emailId: undefined,
  createdBy: caller.kind === "user" ? caller.userId : undefined,
});

/** What becomes of a file's entries. */
interface Target {
  /** Takes the next entries. Throws as `assertImportGoesOn` does. */
  keep(chunk: Suppression[], isLast: boolean): Promise<PutOutcome[]>;
  /** Called if the rest of the file can't be read or kept. */
  giveUp(): Promise<void>;
}

/** Stores them, with one event for all. */
function createStore(context: Context, entry: ImportEntry): Target {
  async function put(storage: Repositories, chunk: Suppression[]) {
    await assertImportGoesOn(context, storage, "suppressions:write");
    const entries = await underHashes(storage, context.workspace.id, chunk, context.now);
    const results = await storage.suppressions.put(entries, context.now);
    const result = results.map(({ outcome }) => outcome);
    return { result, count: result.filter((outcome) => outcome !== "unchanged").length };
  }
  return {
    async keep(chunk, isLast) {
      const piece = chunk.length === 0 ? undefined : (storage: Repositories) => put(storage, chunk);
      return (await entry.store(piece, isLast)) ?? [];
    },
    giveUp: () => entry.giveUp(),
  };
}

/** Predicts what storing them would do. */
function createPreview(context: Context): Target {
  const seen: SeenEnds = new Map();
  const piece = checkedPieces(context, "suppressions:write");
  return {
    keep: (chunk) => piece(() => previewChunk(context, chunk, seen)),
    giveUp: async () => {},
  };
}

/** The end of each suppression seen so far, by scope and address. */
type SeenEnds = Map<string, number>;
/**
 * Maximum number of addresses that a dry run remembers. In a longer file, a repeated address may be counted as added
 * twice.
 */
const maxSeen = 250_000;

/** Predicts the result of a chunk as if the chunks before it had been stored. */
async function previewChunk(
  { storage, workspace, now }: Context,
  chunk: Suppression[],
  seen: SeenEnds,
): Promise<PutOutcome[]> {
  const entries = await underHashes(storage, workspace.id, chunk, now);
  const standing = await storage.suppressions.findUnder(
    entries.map(({ addressKey }) => ({ workspaceId: workspace.id, addressKey })),
  );
  const ends = new Map<string, number>();
  for (const { scope, addressKey, expiresAt = Number.POSITIVE_INFINITY } of standing)
    if (expiresAt > now) ends.set(`${scope} ${addressKey}`, expiresAt);
  return entries.map(({ scope, addressKey, expiresAt = Number.POSITIVE_INFINITY }) => {
    const name = `${scope} ${addressKey}`;
    const end = seen.get(name) ?? ends.get(name);
    if (end !== undefined && end >= expiresAt) return "unchanged";
    if (seen.size < maxSeen) seen.set(name, expiresAt);
    else ends.set(name, expiresAt);
    return end === undefined ? "added" : "updated";
  });
}
