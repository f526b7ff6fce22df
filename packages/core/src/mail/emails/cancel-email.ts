import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { cancelledEvents } from "./cancelled-events.ts";
import { type EmailView, findEmailOrThrow, viewStored } from "./email-view.ts";
import { notCancellable } from "./not-cancellable.ts";

/**
 * Cancels an e-mail that still waits (decisions §7; platform.md P4). Throws `not_cancellable` if a worker has leased
 * it, if it is settled, or if a mail server may have accepted it. One that some recipients got is partially sent. Its
 * quota is not given back.
 */
export const cancelEmail = useCase({
  access: ["api_key", "emails:write"],
  refusals: ["not_cancellable"],
  input: z.strictObject({ emailId: uuidField.describe("The e-mail's id, a UUID.") }),
  async run({ storage, workspace, runtime, emitEmailEvent }, { emailId }): Promise<EmailView> {
    const now = runtime.queueClock.now();
    await findEmailOrThrow(storage, workspace.id, emailId, now);
    const outcome = await storage.emails.cancel(workspace.id, emailId, now);
    if (outcome === "in_doubt")
      throw new ServiceError("not_cancellable", {
        message: "A mail server may already have accepted it: its reply never came.",
      });
    const email = await findEmailOrThrow(storage, workspace.id, emailId, now);
    if (outcome === "not_waiting") throw notCancellable(email);
    for (const one of await cancelledEvents(storage, [email], now)) emitEmailEvent(one);
    return viewStored(storage, email);
  },
});
