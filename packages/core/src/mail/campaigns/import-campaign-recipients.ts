import { z } from "zod";
import { createEvent } from "../../calls/outbox.ts";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { assertImportGoesOn } from "../../files/assert-import-goes-on.ts";
import { listFileFields, openListFile, reject } from "../../files/list-file.ts";
import { readLines } from "../../files/read-lines.ts";
import type { NewEvent } from "../../ports/storage/events.ts";
import type { Repositories } from "../../ports/storage.ts";
import { type AddedRecipients, putOnList } from "./add-campaign-recipients.ts";
import { campaignId } from "./campaign-fields.ts";
import { assertEditable, findCampaignOrThrow } from "./campaign-view.ts";
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
 * if a later line can't be read, and a file can be imported again (platform.md P9).
 */
export const importCampaignRecipients = useCase({
  access: "campaigns:write",
  refusals: ["campaign_not_editable", "payload_too_large", "unsupported_media_type"],
  // Each thousand recipients have their own transaction.
  reads: true,
  input: z.strictObject({ campaignId, ...listFileFields }),
  async run(context, { campaignId: id, ...file }): Promise<RecipientImport> {
    assertEditable(await findCampaignOrThrow(context.storage, context.workspace.id, id));
    const { format, bytes } = openListFile(file);
    const done: RecipientImport = { added: 0, duplicates: 0, rejected: [], rejectedTotal: 0, lastLine: 0 };
    let recipients: NamedRecipient[] = [];
    let characters = 0;
    let counted = 0;
    const add = async (): Promise<void> => {
      const invalid = done.rejectedTotal - counted;
      const { added, duplicates } = await context.changePiece((storage, { events }) =>
        putChunk(context, storage, events, { id, recipients, invalid }),
      );
      done.added += added;
      done.duplicates += duplicates;
      counted += invalid;
      recipients = [];
      characters = 0;
    };
    for await (const { line, fields, value, fault } of readLines(bytes, format, recipientLines)) {
      done.lastLine = line;
      const read = fields ?? { value, message: fault };
      if (isRecipientFault(read)) {
        reject(done, { line, ...read });
        continue;
      }
      recipients.push(read);
      characters += JSON.stringify(read.templateData).length;
      if (recipients.length >= chunk.recipients || characters >= chunk.characters) await add();
    }
    if (recipients.length > 0 || done.rejectedTotal > counted) await add();
    return done;
  },
});

type Context = ReadContext<"campaigns:write">;

/** Recipients added together, and the number of lines before them without a valid recipient. */
interface Chunk {
  recipients: NamedRecipient[];
  invalid: number;
}

/** Adds a chunk and its event. Fails if the campaign was started meanwhile, and as `assertImportGoesOn` does. */
async function putChunk(
  context: Context,
  storage: Repositories,
  events: NewEvent[],
  { id, recipients, invalid }: Chunk & { id: number },
): ReturnType<typeof putOnList> {
  const { caller, workspace, client, now } = context;
  await assertImportGoesOn(context, storage, "campaigns:write");
  const campaign = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
  assertEditable(campaign);
  const counted = await putOnList(storage, id, recipients, invalid);
  if (counted.added === 0) return counted;
  const origin = { caller, workspaceId: workspace.id, clientIp: client.ip, now };
  const metadata = { campaign_id: id, name: campaign.name, added: counted.added };
  events.push(createEvent("campaign.updated", { metadata }, origin));
  return counted;
}
