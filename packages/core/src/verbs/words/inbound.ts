// Printed by `npm run verbs`. Do not edit.
export const inboundWords = {
  "inbound.feed":
    "Processes a bounce, complaint or other report about the workspace's e-mails, from a program that reads the mailbox of bounces; the same message counts only once (platform.md P7).",
  "inbound.receive":
    "Processes a relay's own webhook, if its signature is valid: a relay's customer never sees the notifications of the servers behind it (platform.md P7). Throws `not_found` for an unknown path, `unauthenticated` for a call that the provider did not make, or whose signature came with another content before, and `unavailable`, so that the relay repeats its call, if that can't be verified for the moment, or if it names an e-mail by the relay's own id alone while one to the recipient is being sent.",
  "inbound.knowsAddress":
    "Checks whether mail for an address is accepted here: a return path that this service made, an address for unsubscribing, or the one for complaints at a domain whose mail comes back here (platform.md P7, P10).",
  "inbound.receiveMessage":
    "Processes a message received by mail, for any workspace that it concerns. Anyone may send one: without a signed token it is recorded at most, and suppresses nobody (platform.md P7). Mail to an address for unsubscribing does that, and is no report (platform.md P10).",
  "inbound.list":
    "Lists bounces, delays and complaints about the workspace's e-mails of the last 7 days, newest first (platform.md P7).",
  "inbound.get":
    "Reads a report with its message, which shows why an address was suppressed (platform.md P7).",
};
