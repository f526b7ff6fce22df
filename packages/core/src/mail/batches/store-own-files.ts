import type { ReadContext } from "../../calls/use-case.ts";
import type { SubmittedFiles } from "../attachments/chosen-files.ts";
import { sum } from "../attachments/size-faults.ts";
import { storeFiles } from "../attachments/store-files.ts";
import type { EmailDraft } from "../submission/email-draft.ts";

type Context = ReadContext<"api_key">;
type Draft = Pick<EmailDraft, "id" | "files" | "fields">;

/** Maximum e-mails whose files are stored in one transaction, and maximum bytes of these, unless one has more. */
const most = { emails: 25, bytes: 512 * 1024 };

/**
 * Stores the files of e-mails that have some of their own, and returns them by the e-mails' ids. Small ones are stored
 * together: a commit each, for every step, took a batch of 200 on SQLite a hundred times as long as one without files.
 */
export async function storeOwnFiles(
  context: Context,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<string, SubmittedFiles | undefined>> {
  const stored = new Map<string, SubmittedFiles | undefined>();
  const workspaceId = context.workspace.id;
  // In one order for all batches, so that those with the same files do not wait for each other in a circle.
  const inOrder = drafts.toSorted((a, b) => (firstOf(a) < firstOf(b) ? -1 : 1));
  for (const piece of inPieces(inOrder)) {
    const store = async (storage: Context["storage"]) => {
      const kept: (SubmittedFiles | undefined)[] = [];
      for (const { files, fields } of piece)
        kept.push(
          await storeFiles({ ...context, storage }, files, { isSensitive: fields.sensitive, workspaceId }),
        );
      return kept;
    };
    const kept = piece.length > 1 ? await context.changePiece(store) : await store(context.storage);
    for (const [index, { id }] of piece.entries()) stored.set(id, kept[index]);
  }
  return stored;
}

const firstOf = ({ files }: Draft): string => files.files[0]?.digest ?? "";

/** Of files that were uploaded before nothing is stored, so that their e-mails are a piece each. */
function inPieces(drafts: readonly Draft[]): Draft[][] {
  const pieces: Draft[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const draft of drafts) {
    const size = draft.files.holdsInline ? sum(draft.files.files) : Number.POSITIVE_INFINITY;
    bytes += size;
    if (bytes > most.bytes || (pieces.at(-1)?.length ?? 0) >= most.emails) {
      pieces.push([]);
      bytes = size;
    }
    pieces.at(-1)?.push(draft);
  }
  return pieces;
}
