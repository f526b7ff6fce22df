const linkLike = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}(?::\d+)?\//iu;
// A bare host name; titles such as "Dr." and "St." without a blank behind them do not count. Three characters stand for
// all before the full stop: any number of them would take quadratic time.
const bareHost = /[\p{L}\p{N}-]{3}\.\p{L}{2,}(?![\p{L}\p{N}])/u;

/** Whether a text contains what mail programs turn into a link to a page: a scheme, `www.`, or a host with a path. */
export function holdsLink(text: string): boolean {
  return linkLike.test(text);
}

/** Whether a text contains a link, or a bare host name, which some mail programs turn into one. */
export function holdsWebAddress(text: string): boolean {
  return holdsLink(text) || bareHost.test(text);
}
