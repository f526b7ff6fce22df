import { addressKey } from "./address-key.ts";

/** Returns the domain of a mailbox as it is stored, such as a sender: behind a name, its address ends with a bracket. */
export const domainOfMailbox = (mailbox: string): string =>
  addressKey(mailbox.slice(mailbox.lastIndexOf("@") + 1).replace(/>$/, ""));
