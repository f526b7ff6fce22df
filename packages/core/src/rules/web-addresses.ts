const linkLike = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}(?::\d+)?\//iu;
// Titles such as "Dr." and "St." may stand without a blank behind them.
const bareHost = /[\p{L}\p{N}-]{3,}\.\p{L}{2,}(?![\p{L}\p{N}])/u;

/** Whether a text holds what mail programs turn into a link that leads somewhere: a scheme, `www.`, or a host with a path. */
export function holdsLink(text: string): boolean {
  return linkLike.test(text);
}

/** Whether a text holds a link, or a bare host name, which some mail programs make one of. */
export function holdsWebAddress(text: string): boolean {
  return holdsLink(text) || bareHost.test(text);
}
