import type { MailHold } from "../../../ports/mailer.ts";

/** A hold, and whether its cause is only a configured pace. */
export interface RouteHold extends MailHold {
  isChosen?: boolean;
}

/** Another server helps only if this one is at fault, and not this process or a configured rate limit. */
export const isServersFault = ({ cause, isChosen }: RouteHold): boolean =>
  isChosen !== true && cause !== "exhausted" && cause !== "closed";
