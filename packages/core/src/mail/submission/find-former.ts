import type { ReadContext } from "../../calls/use-case.ts";
import { keyOutcome } from "../acceptance/decide-submissions.ts";
import { idempotencyLifetimeMs } from "../acceptance/submission.ts";
import { bodyDigest, keyHolder, type SubmissionCall } from "./create-submission.ts";

/** Returns the outcome of an earlier call with the same `idempotencyKey`; `undefined` as `keyOutcome` does. */
export async function findFormer(
  context: ReadContext<"api_key">,
  call: SubmissionCall,
  isSensitive: boolean,
): Promise<ReturnType<typeof keyOutcome>> {
  const { idempotencyKey: key } = call;
  if (key === undefined) return undefined;
  const { storage, caller, workspace, now } = context;
  const holder = keyHolder(caller, workspace.id);
  const former = await storage.idempotencyKeys.find(holder, key, now - idempotencyLifetimeMs);
  return former && keyOutcome(bodyDigest(context, call, isSensitive), former);
}
