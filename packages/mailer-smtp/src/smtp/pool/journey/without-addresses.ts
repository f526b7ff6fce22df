/**
 * Returns a server's reply without recipients' addresses, which servers repeat in lower case, too: why a server takes
 * nothing is told of all messages, and outlives the recipients' data.
 */
export const withoutAddresses = (reply: string, addresses: readonly string[]): string =>
  addresses.reduce(
    (text, address) => text.replace(new RegExp(address.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu"), "…"),
    reply,
  );
