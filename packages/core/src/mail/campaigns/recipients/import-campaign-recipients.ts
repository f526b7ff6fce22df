import { z } from "zod";
import { type ReadContext, useCase } from "../../../calls/use-case.ts";
import { assertImportGoesOn } from "../../../files/assert-import-goes-on.ts";
import { createImportEntry, type ImportEntry } from "../../../files/import-entry.ts";
import { importFields } from "../../../files/import-fields.ts";
import { listFileFields, openListFile, reject } from "../../../files/list-file.ts";
import { readUntilFault } from "../../../files/read-lines.ts";
import type { Repositories } from "../../../ports/storage.ts";
import { campaignId } from "../campaign-fields.ts";
import { assertEditable, findCampaignOrThrow } from "../campaign-view.ts";
import { type AddedRecipients, putOnList } from "./add-campaign-recipients.ts";
import { isRecipientFault, type NamedRecipient, recipientLines } from "./recipient-lines.ts";

/**
 * Maximum recipients of one transaction, and maximum characters of their values; other work can use the storage between
 * two.
 */
const chunk = { recipients: 1_000, characters: 1024 * 1024 };

/** Result of an import. */
export interface RecipientImport extends AddedRecipients {
  /** Number of the last line read. */
  lastLine: number;
}

/**
 * Adds the recipients in a file to a campaign that has not begun, a thousand at a time. Those already added stay, even
 * if a later line can't be read, and a file can be imported again (platform.md P9). One event tells of all that were
 * added.
 */
export const importCampaignRecipients = useCase({
  access: "campaigns:write",
  refusals: ["campaign_not_editable", "payload_too_large", "unsupported_media_type"],
  // Each thousand recipients have their own transaction.
  reads: true,
  input: z.strictObject({ campaignId, ...listFileFields, ...importFields }),
  async run(context, { campaignId: id, importId, more, ...list }): Promise<RecipientImport> {
    const { storage, workspace } = context;
    const campaign = await findCampaignOrThrow(storage, workspace.id, id);
    const metadata = { campaign_id: id, name: campaign.name, added: 0, changes: {} };
    const told = { type: "campaign.updated", metadata, sum: "added", about: id } as const;
    const entry = createImportEntry(context, { importId, more }, told);
    const target = createList(context, id, entry);
    try {
      assertEditable(campaign);
      const { format, bytes } = openListFile(list);
      const file = readUntilFault(bytes, format, recipientLines);
      for await (const { line, fields, value, fault } of file.lines) {
        target.done.lastLine = line;
        const read = fields ?? { value, message: fault };
        if (isRecipientFault(read)) reject(target.done, { line, ...read });
        else await target.add(read);
      }
      await target.end();
      file.assertWhole();
    } catch (error) {
      await target.giveUp();
      throw error;
    }
    return target.done;
  },
});

type Context = ReadContext<"campaigns:write">;

/** A file's recipients on their way to the campaign's list. */
interface RecipientList {
  done: RecipientImport;
  /** Adds a recipient, stored with others. Throws `campaign_not_editable` if the campaign was started meanwhile, and as `assertImportGoesOn` does. */
  add(recipient: NamedRecipient): Promise<void>;
  /** Stores those that are left. Throws as `add` does. */
  end(): Promise<void>;
  /** Called if the rest of the file can't be read or stored. */
  giveUp(): Promise<void>;
}

function createList(context: Context, id: number, entry: ImportEntry): RecipientList {
  const done: RecipientImport = { added: 0, duplicates: 0, rejected: [], rejectedTotal: 0, lastLine: 0 };
  let recipients: NamedRecipient[] = [];
  let characters = 0;
  /** Rejected lines that the campaign counts. */
  let counted = 0;
  async function store(isLast: boolean): Promise<void> {
    const invalid = done.rejectedTotal - counted;
    const isEmpty = recipients.length === 0 && invalid === 0;
    const put = async (storage: Repositories) => {
      const result = await putChunk(context, storage, { id, recipients, invalid });
      return { result, count: result.added };
    };
    const { added, duplicates } = (await entry.store(isEmpty ? undefined : put, isLast)) ?? nobody;
    done.added += added;
    done.duplicates += duplicates;
    counted += invalid;
    recipients = [];
    characters = 0;
  }
  return {
    done,
    async add(recipient) {
      recipients.push(recipient);
      characters += JSON.stringify(recipient.templateData).length;
      if (recipients.length >= chunk.recipients || characters >= chunk.characters) await store(false);
    },
    end: () => store(true),
    giveUp: () => entry.giveUp(),
  };
}

const nobody = { added: 0, duplicates: 0 };

/** Recipients added together, and the number of lines before them without a valid recipient. */
interface Chunk {
  recipients: NamedRecipient[];
  invalid: number;
}

/** Adds a chunk. Fails if the campaign was started meanwhile, and as `assertImportGoesOn` does. */
async function putChunk(
  context: Context,
  storage: Repositories,
  { id, recipients, invalid }: Chunk & { id: number },
): ReturnType<typeof putOnList> {
  await assertImportGoesOn(context, storage, "campaigns:write");
  assertEditable(await findCampaignOrThrow(storage, context.workspace.id, id, { lock: true }));
  return await putOnList(storage, id, recipients, invalid);
}
