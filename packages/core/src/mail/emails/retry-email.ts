import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { viewKept } from "./email-view.ts";

/** Puts a failed e-mail back into the queue, for the recipients that did not get it. For operators. */
export const retryEmail = useCase({
  access: "administrator",
  input: z.strictObject({ emailId: z.uuid().describe("The e-mail's id, a UUID.") }),
  async run({ storage, runtime, now, emit, wake }, { emailId }) {
    const before = await storage.emails.find(undefined, emailId, now);
    if (before === undefined) throw new ServiceError("not_found");
    if (before.workspaceId === undefined) {
      throw new ServiceError("not_retryable", {
        message:
          "The links of the service's own mails are forgotten with the last attempt; have it sent anew.",
      });
    }
    if (!(await storage.emails.retry(undefined, emailId, runtime.queueClock.now()))) {
      throw new ServiceError("not_retryable", {
        message: `Only a failed e-mail can be tried again; this one is ${before.status}.`,
      });
    }
    const email = await storage.emails.find(undefined, emailId, now);
    if (email === undefined) throw new ServiceError("not_found");
    emit("email.retried", {
      metadata: { email_id: emailId },
      ...(email.workspaceId === undefined ? {} : { workspaceId: email.workspaceId }),
    });
    wake("emails");
    return viewKept(storage, email);
  },
});
