import { createUnsubscription } from "./create-unsubscription.ts";
import { getUnsubscription } from "./get-unsubscription.ts";
import { undoUnsubscription } from "./undo-unsubscription.ts";

/** What a recipient does by the link in an e-mail. */
export const unsubscriptions = {
  get: getUnsubscription,
  create: createUnsubscription,
  undo: undoUnsubscription,
} as const;
