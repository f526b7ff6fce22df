import { mailbox } from "../mail/submission/send-fields.ts";
import type { Person } from "../ports/storage.ts";
import { addressKey } from "../rules/address-key.ts";

/** The address of a recipient. */
export const personField = mailbox.describe("The recipient's address. Upper and lower case are equal.");

/** Returns the recipient for a parsed address. */
export const personOf = (workspaceId: number, { address }: { address: string }): Person => ({
  workspaceId,
  address,
  addressKey: addressKey(address),
});
