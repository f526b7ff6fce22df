import { createUnsubscription } from "./create-unsubscription.ts";
import { getUnsubscription } from "./get-unsubscription.ts";
import { undoUnsubscription } from "./undo-unsubscription.ts";

/** Actions of recipients by the unsubscribe link of an e-mail. */
export const unsubscriptions = {
  get: getUnsubscription,
  create: createUnsubscription,
  undo: undoUnsubscription,
} as const;
