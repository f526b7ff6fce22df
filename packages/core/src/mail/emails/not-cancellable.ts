import { ServiceError } from "../../errors.ts";
import type { Email } from "../../ports/storage.ts";

/** The refusal to cancel or reschedule an e-mail, which says its state as read after the attempt. */
export const notCancellable = (email: Pick<Email, "status">): ServiceError =>
  new ServiceError("not_cancellable", {
    message: `Only a waiting e-mail can be cancelled or rescheduled; the status of this one is ${email.status}.`,
  });
