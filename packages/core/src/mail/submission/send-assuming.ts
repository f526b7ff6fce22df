import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { Unconfirmed } from "../../ports/storage.ts";
import { keyToNote } from "./create-submission.ts";
import type { SentEmail } from "./submit-email.ts";

/**
 * Sends on the assumption that all it needs to know is as it was before, which the storage confirms while it writes:
 * one round trip to a database instead of two. `undefined` if that can't be, or if it comes to anything but an answer:
 * then nothing is written, and the send begins again with what the storage answers now.
 */
export async function sendAssuming(
  context: ReadContext<"api_key">,
  send: (context: ReadContext<"api_key">) => Promise<SentEmail>,
): Promise<SentEmail | undefined> {
  const { caller: expected, acceptance, now } = context;
  if (expected.kind !== "api_key" || expected.assume === undefined) return undefined;
  const assumed = acceptance.assume?.();
  if (assumed === undefined) return undefined;
  try {
    const caller = await expected.assume(assumed.acceptance.lookups.findApiKey);
    // The time of its last use may be another by now.
    if (caller === undefined || keyToNote({ caller, now }) !== undefined) return undefined;
    return await send({ ...context, caller, acceptance: assumed.acceptance });
  } catch (error) {
    if (error instanceof ServiceError || error instanceof Unconfirmed) return undefined;
    throw error;
  } finally {
    assumed.end();
  }
}
