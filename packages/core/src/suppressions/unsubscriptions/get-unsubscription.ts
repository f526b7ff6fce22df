import { useCase } from "../../calls/use-case.ts";
import {
  findSubscription,
  repeatsOfLink,
  tokenInput,
  type UnsubscriptionView,
  viewUnsubscription,
} from "./unsubscription-view.ts";

/**
 * Returns the address and list of an unsubscribe link. Changes nothing, as mail scanners open links (platform.md P10).
 */
export const getUnsubscription = useCase({
  access: "anonymous",
  reads: true,
  input: tokenInput,
  repeats: repeatsOfLink,
  async run(context, { token }): Promise<UnsubscriptionView> {
    return await viewUnsubscription(context, await findSubscription(context, token));
  },
});
