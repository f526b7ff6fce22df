import { z } from "zod";
import { timeField } from "../calls/input/time-fields.ts";
import { useCase } from "../calls/use-case.ts";
import { fieldError, ServiceError } from "../errors.ts";
import { everyScope, type Suppression } from "../ports/storage.ts";
import { suppress } from "./suppress.ts";
import { reasonField, scopeField, suppressedField } from "./suppression-fields.ts";
import { type SuppressionView, viewSuppression } from "./suppression-view.ts";
import { underHashes } from "./under-hashes.ts";

/** A suppression, and whether the call created it. */
export interface CreatedSuppression extends SuppressionView {
  /** Whether the call created it; otherwise the existing suppression is returned, possibly extended. */
  isNew: boolean;
}

/**
 * Suppresses an address or a whole domain (platform.md P8). An existing suppression is returned unchanged, unless it
 * would expire earlier: then its end is extended to this one's.
 */
export const createSuppression = useCase({
  access: "suppressions:write",
  input: z.strictObject({
    email: suppressedField,
    scope: scopeField
      .default(everyScope)
      .describe("The mail that it stops: `*` for all mail, or the name of a list. Default `*`."),
    reason: reasonField.default("").describe("The reason for the suppression, at most 500 characters."),
    expiresAt: timeField
      .optional()
      .describe("When the suppression expires, ISO 8601 with an offset. Default: never."),
  }),
  async run(context, { email, scope, reason, expiresAt }): Promise<CreatedSuppression> {
    const { storage, workspace, caller, client, now, runtime } = context;
    if (expiresAt !== undefined && expiresAt <= now) throw fieldError("expiresAt", "is in the past");
    const given: Suppression = {
      workspaceId: workspace.id,
      scope,
      ...email,
      origin: "manual",
      reason,
      emailId: undefined,
      createdBy: caller.kind === "user" ? caller.userId : undefined,
      createdAt: now,
      expiresAt,
    };
    const origin = { caller, clientIp: client.ip, now };
    const [entry = given] = await underHashes(storage, workspace.id, [given], now);
    const { outcomes, notifications } = await suppress(runtime, storage, [entry], origin);
    context.record(notifications);
    const kept = await storage.suppressions.find(workspace.id, entry, now);
    // A concurrent call may have deleted the row, if the storage's transactions see each other's commits.
    if (kept === undefined) throw new ServiceError("not_found");
    return { ...viewSuppression(kept), isNew: outcomes[0] === "added" };
  },
});
