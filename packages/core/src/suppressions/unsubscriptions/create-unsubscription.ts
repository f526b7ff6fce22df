import { useCase } from "../../calls/use-case.ts";
import { unsubscribe } from "./unsubscribe.ts";
import {
  findSubscription,
  findUnsubscription,
  repeatsOfLink,
  tokenInput,
  type UnsubscriptionView,
  viewOf,
  viewUnsubscription,
} from "./unsubscription-view.ts";

/**
 * Unsubscribes the link's recipient from the link's list only. Repeating it changes nothing (platform.md P10, RFC
 * 8058). Throws `not_found` for a link that this service did not issue.
 */
export const createUnsubscription = useCase({
  access: "anonymous",
  input: tokenInput,
  repeats: {
    ...repeatsOfLink,
    async find(context, { token }): Promise<UnsubscriptionView | undefined> {
      const known = await findSubscription(context, token);
      const found = await findUnsubscription(context, known);
      // One that ends is yet to be replaced by one that doesn't.
      const isThere = found !== undefined && found.expiresAt === undefined;
      return isThere ? viewOf(known, found, context.now) : undefined;
    },
  },
  async run(context, { token }): Promise<UnsubscriptionView> {
    const known = await findSubscription(context, token);
    await unsubscribe(context, known);
    return await viewUnsubscription(context, known);
  },
});
