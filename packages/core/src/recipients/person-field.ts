import { mailbox } from "../mail/submission/send-fields.ts";
import { addressKey } from "../ports/storage/address-key.ts";
import type { Person } from "../ports/storage.ts";

/** The address of a recipient. */
export const personField = mailbox.describe("The recipient's address. Upper and lower case are equal.");

/** Returns the recipient for a parsed address. */
export const personOf = (workspaceId: number, { address }: { address: string }): Person => ({
  workspaceId,
  address,
  addressKey: addressKey(address),
});
