import type { ReadContext } from "../../calls/use-case.ts";
import { type ErrorCode, fieldError, ServiceError } from "../../errors.ts";
import type { SendingWorkspace } from "../../ports/storage.ts";
import { addressKey } from "../../rules/address-key.ts";
import { firstWithin } from "../../rules/first-within.ts";
import { checkFiles } from "../submission/checks/check-files.ts";
import { checkDraft } from "../submission/checks.ts";
import { createDraft, type DraftSource, type EmailDraft } from "../submission/email-draft.ts";
import { findVersionSource } from "../submission/find-version-source.ts";
import type { BatchItem, RequestedContent } from "./batch-item.ts";
import { createBatchLookups } from "./batch-lookups.ts";
import type { ItemPause } from "./create-item-pause.ts";
import type { RequestedBatch } from "./read-batch.ts";

type Context = ReadContext<"api_key">;

/** A checked item of a batch. */
export interface CheckedItem {
  item: BatchItem;
  /** `undefined` if the item can't be parsed. */
  draft: EmailDraft | undefined;
  /** Reasons against this e-mail. Suppression of all its recipients is in `isSuppressed` instead. */
  reasons: ServiceError[];
  isSuppressed: boolean;
}

/** A checked batch. */
export interface CheckedBatch {
  items: CheckedItem[];
  /** Draft with the files that all e-mails share. */
  lead: EmailDraft | undefined;
  /** Reasons against the whole batch. */
  reasons: ServiceError[];
}

/** Codes of reasons that concern a single recipient, in a batch whose e-mails share everything else. */
const ofRecipients: ReadonlySet<ErrorCode> = new Set([
  "template_data_missing",
  "template_render_failed",
  "all_recipients_suppressed",
]);
/** Codes of reasons that concern the workspace, whatever the e-mail. */
const ofWorkspace: ReadonlySet<ErrorCode> = new Set(["email_not_verified"]);

/** Number of e-mails whose suppressions are read at once. */
const pieceSize = 200;

/**
 * Runs the checks of a send on every e-mail of a batch, and collects the reasons against each and against the whole
 * batch.
 */
export async function checkBatch(
  context: Context,
  workspace: SendingWorkspace,
  batch: RequestedBatch,
  pause: ItemPause,
): Promise<CheckedBatch> {
  const lookups = createBatchLookups(context.acceptance.lookups);
  const own: Context = { ...context, acceptance: { ...context.acceptance, lookups } };
  const looking: Looking = { context: own, workspace, findSource: createSources(own) };
  const { items, list } = batch;
  const lead = list === "emails" ? undefined : await leadOf(looking, batch);
  const wide = new Map((lead?.reasons ?? []).map((reason) => [reason.message, reason]));
  const isWide = ({ code }: ServiceError): boolean =>
    list === "emails" ? ofWorkspace.has(code) : !ofRecipients.has(code);
  const duplicateFaults = createDuplicateFinder(batch);
  const checked: CheckedItem[] = [];
  for (let start = 0; start < items.length; start += pieceSize) {
    const piece = items.slice(start, start + pieceSize);
    await lookups.expect(workspace.workspaceId, piece.flatMap(addressesOf));
    for (const item of piece) {
      const draft = await draftOf(looking, item);
      for (const reason of draft?.reasons.filter(isWide) ?? []) wide.set(reason.message, reason);
      const judged = judge(item, draft, isWide);
      checked.push({ ...judged, reasons: [...duplicateFaults(judged), ...judged.reasons] });
      await pause();
    }
  }
  return { items: checked, lead, reasons: [...wide.values()] };
}

/** Maximum characters of the names of missing values that one e-mail's reason tells; the others are counted. */
const namesAtMost = 1_000;

function withFewNames(reason: ServiceError): ServiceError {
  if (reason.code !== "template_data_missing") return reason;
  const { missing } = reason.details as { missing: string[] };
  const first = firstWithin(missing, namesAtMost);
  if (first.length === missing.length) return reason;
  const details = { missing: first, more: missing.length - first.length };
  return new ServiceError(reason.code, { message: reason.message, details });
}

interface Looking {
  context: Context;
  workspace: SendingWorkspace;
  findSource: FindSource;
}

const addressesOf = ({ asked }: BatchItem): string[] => {
  if (asked instanceof ServiceError) return [];
  const { to, cc, bcc } = asked.fields;
  return [...to, ...cc, ...bcc].map(({ address }) => address);
};

type FindSource = (content: RequestedContent) => Promise<DraftSource>;

/** Looks up each template version once, for all recipients. */
function createSources(context: Context): FindSource {
  const found = new Map<string, Promise<DraftSource>>();
  return async (content) => {
    if (content.kind === "literal") return content;
    const { template, templateVersionId, data, allowMissing, subject } = content;
    const name = `${templateVersionId ?? ""} ${template}`;
    const asked = { template, templateVersionId, data: {}, allowMissing: false, subject: undefined };
    const source = found.get(name) ?? findVersionSource(context, asked);
    found.set(name, source);
    const known = await source;
    return known.kind === "version" ? { ...known, data, allowMissing, subject } : known;
  };
}

async function draftOf(
  { context, workspace, findSource }: Looking,
  { asked }: BatchItem,
): Promise<EmailDraft | undefined> {
  if (asked instanceof ServiceError) return undefined;
  const draft = createDraft(context, workspace, await findSource(asked.content), asked.fields);
  await checkDraft(draft, context);
  // Ten thousand times all of a template's two thousand names would be held, stored and answered.
  draft.missing = [];
  draft.reasons = draft.reasons.map(withFewNames);
  return draft;
}

/** Makes a draft for the shared files of a batch and checks only its files, once for all e-mails. */
async function leadOf(
  { context, workspace, findSource }: Looking,
  { items, request: { attachments = [] } }: RequestedBatch,
): Promise<EmailDraft | undefined> {
  const asked = items.map((item) => item.asked).find((one) => !(one instanceof ServiceError));
  if (attachments.length === 0 || asked === undefined || asked instanceof ServiceError) return undefined;
  const fields = { ...asked.fields, attachments };
  const lead = createDraft(context, workspace, await findSource(asked.content), fields);
  await checkFiles(lead, context);
  return lead;
}

function judge(
  item: BatchItem,
  draft: EmailDraft | undefined,
  isWide: (reason: ServiceError) => boolean,
): CheckedItem {
  const against = draft?.reasons ?? (item.asked instanceof ServiceError ? [item.asked] : []);
  const own = against.filter((reason) => draft === undefined || !isWide(reason));
  const reasons = own.filter(({ code }) => code !== "all_recipients_suppressed");
  return { item, draft, reasons, isSuppressed: reasons.length < own.length };
}

/**
 * Creates a function that returns the fault of a recipient who occurs twice. If faulty ones are left out, these don't
 * count: otherwise the address would get nothing at all.
 */
function createDuplicateFinder({ request, list }: RequestedBatch): (one: CheckedItem) => ServiceError[] {
  const seen = new Set<string>();
  if (list === "emails" || request.allowDuplicates === true) return () => [];
  return ({ item: { asked }, reasons }) => {
    const { to } = asked instanceof ServiceError ? { to: [] } : asked.fields;
    return to.flatMap(({ address }) => {
      const key = addressKey(address);
      if (seen.has(key)) return fieldError("to", `${address} is given twice`);
      if (reasons.length === 0 || request.onInvalid !== "skip") seen.add(key);
      return [];
    });
  };
}
