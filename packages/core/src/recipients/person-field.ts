import { mailbox } from "../mail/submission/send-fields.ts";
import type { Person } from "../ports/storage.ts";
import { addressKey } from "../rules/addresses.ts";

/** The address of somebody whom the workspace sent to. */
export const personField = mailbox.describe("The recipient's address, in any case.");

/** The person behind an address. */
export const personOf = (workspaceId: number, { address }: { address: string }): Person => ({
  workspaceId,
  address,
  addressKey: addressKey(address),
});
