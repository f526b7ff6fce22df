// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { UnsubscriptionView } from "../suppressions/unsubscriptions/unsubscription-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `get` and `create` and `undo` take. */
export interface GetUnsubscriptionInput {
  /** The token from the unsubscribe link: the last part of its path. */
  token: string;
}

/** What a recipient does by the link in an e-mail. */
export interface UnsubscriptionsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Shows the address and list of an unsubscribe link, and changes nothing: mail scanners open links (platform.md
   * P10).
   */
  get(input: GetUnsubscriptionInput, ...call: K["any"]): Promise<UnsubscriptionView>;
  /**
   * Unsubscribes by the link of an e-mail, only from its list; repeating it changes nothing (platform.md P10, RFC
   * 8058). Throws `not_found` for a link that is not ours.
   */
  create(input: GetUnsubscriptionInput, ...call: K["any"]): Promise<UnsubscriptionView>;
  /**
   * Undoes an unsubscription, for ten minutes; later it changes nothing (platform.md P10). Throws `not_found` for a
   * link that is not ours.
   */
  undo(input: GetUnsubscriptionInput, ...call: K["any"]): Promise<UnsubscriptionView>;
}
