// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { UnsubscriptionView } from "../suppressions/unsubscriptions/unsubscription-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `get` and `create` and `undo` take. */
export interface GetUnsubscriptionInput {
  /** The token from the unsubscribe link: the last part of its path. */
  token: string;
}

/** Actions of recipients by the unsubscribe link of an e-mail. */
export interface UnsubscriptionsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Returns the address and list of an unsubscribe link. Changes nothing, as mail scanners open links (platform.md
   * P10).
   */
  get(this: void, input: GetUnsubscriptionInput, ...call: K["any"]): Promise<UnsubscriptionView>;
  /**
   * Unsubscribes the link's recipient from the link's list only. Repeating it changes nothing (platform.md P10, RFC
   * 8058). Throws `not_found` for a link that this service did not issue.
   */
  create(this: void, input: GetUnsubscriptionInput, ...call: K["any"]): Promise<UnsubscriptionView>;
  /**
   * Undoes an unsubscription within ten minutes; later it changes nothing (platform.md P10). A temporary suppression
   * that it replaced stands again. Throws `not_found` for a link that this service did not issue.
   */
  undo(this: void, input: GetUnsubscriptionInput, ...call: K["any"]): Promise<UnsubscriptionView>;
}
