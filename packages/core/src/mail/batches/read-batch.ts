import { createHash } from "node:crypto";
import { ServiceError } from "../../errors.ts";
import { canonicalJson } from "../../rules/canonical-json.ts";
import type { SubmissionCall } from "../submission/create-submission.ts";
import type { BatchRequest } from "./batch-fields.ts";
import { type BatchItem, createItemReader } from "./batch-item.ts";
import type { ItemPause } from "./create-item-pause.ts";

/** Maximum e-mails, and maximum recipients, of a batch under any plan. */
export const maxRecipients = 10_000;
/** Maximum bytes of shared fields that a batch may multiply: each e-mail stores its own copy of them. */
const maxRepeated = 64 * 1024 * 1024;

/** A batch with its items parsed. */
export interface RequestedBatch {
  request: BatchRequest;
  /** Field of the request that holds the items. */
  list: "recipients" | "emails";
  items: BatchItem[];
  /** The call with its items as a digest, whatever the order of their keys. */
  call: SubmissionCall & { digest: string };
  isSensitive: boolean;
}

/**
 * Parses a batch's items. Throws `batch_too_large` for more items than any plan allows, and `payload_too_large` if the
 * shared values would take too much space.
 */
export async function readBatch(request: BatchRequest, pause: ItemPause): Promise<RequestedBatch> {
  const { recipients, emails, idempotencyKey, ...rest } = request;
  const list = recipients === undefined ? "emails" : "recipients";
  const raw = recipients ?? emails ?? [];
  if (raw.length > maxRecipients) throw tooLarge(raw.length, maxRecipients);
  refuseRepetition(request, raw.length);
  const hash = createHash("sha256").update(canonicalJson(rest));
  const read = createItemReader(request);
  const items: BatchItem[] = [];
  let isSensitive = request.sensitive ?? false;
  for (const [index, one] of raw.entries()) {
    const { told, ...item } = read(one, index);
    hash.update(item.asked instanceof ServiceError ? writtenIfPossible(told) : canonicalJson(told));
    if (!(item.asked instanceof ServiceError)) isSensitive ||= item.asked.fields.sensitive;
    items.push(item);
    await pause();
  }
  const call = { idempotencyKey, whenLimited: request.whenLimited, digest: hash.digest("hex") };
  return { request, list, items, call, isSensitive };
}

/** An invalid item may be something that JSON can't hold, such as a cycle. */
function writtenIfPossible(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    return "not JSON";
  }
}

/** Throws `batch_too_large` for more recipients than the plan allows. */
export function assertSize({ items }: RequestedBatch, { maxBatchSize }: { maxBatchSize: number }): void {
  const most = maxBatchSize > 0 ? Math.min(maxBatchSize, maxRecipients) : maxRecipients;
  const count = items.reduce((sum, { asked }) => sum + recipientsOf(asked), 0);
  if (count > most) throw tooLarge(count, most);
}

function recipientsOf(asked: BatchItem["asked"]): number {
  if (asked instanceof ServiceError) return 1;
  const { to, cc, bcc } = asked.fields;
  return to.length + cc.length + bcc.length;
}

const tooLarge = (count: number, most: number): ServiceError =>
  new ServiceError("batch_too_large", {
    message: `The batch has ${count} recipients: at most ${most} are allowed.`,
    details: { limit: "max_batch_size", value: most, count },
  });

/** Contents and files are stored once for all, so they are left out. */
function refuseRepetition(request: BatchRequest, count: number): void {
  const { templateData, headers, metadata, calendar, from, sender, replyTo, subject, tags } = request;
  const repeated = [templateData, headers, metadata, calendar, from, sender, replyTo, subject, tags];
  const bytes = count * Buffer.byteLength(JSON.stringify(repeated));
  if (bytes <= maxRepeated) return;
  throw new ServiceError("payload_too_large", {
    message: `Each of ${count} e-mails stores the shared fields, all but the content and the files: together they may have at most 64 MB.`,
    details: { limit: "shared_mb", value: maxRepeated / 1024 / 1024, size: bytes },
  });
}
