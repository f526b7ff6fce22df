/** What choosing has to know of a server. */
export interface ChoosableServer {
  /** Grows with age: of two alike the older is chosen. */
  row: number;
  id: string;
  fromDomains: readonly string[];
  isDefault: boolean;
  priority: number;
}

/** What a mail asks of the servers. */
export interface ServerWish {
  /** The sender's domain, ASCII and lower case. */
  domain: string;
  /** The server that it is to go through, if there still is such a one. */
  pinned: string | undefined;
  /** Whether the operator's own server may be used. */
  platformServer: boolean;
  /** Whether a signature of ours vouches for the domain, whatever server the mail goes through. */
  isSigned: boolean;
}

/**
 * The servers that may carry a mail, in the order in which they are tried (platform.md P5): the pinned one alone; else those that take
 * the sender's domain by priority, where a server that names it goes before one that takes any; then the defaults; then the operator's.
 * Behind the first, only those are left that take the domain, or all where our signature vouches for it: a mail that fails over to another
 * server would fail DMARC.
 */
export function chooseServers<S extends ChoosableServer>(
  servers: readonly S[],
  { domain, pinned, platformServer, isSigned }: ServerWish,
): (S | "platform")[] {
  const wanted = servers.find(({ id }) => id === pinned);
  if (wanted !== undefined) return [wanted];
  const covers = ({ fromDomains }: S): boolean => takesDomain(fromDomains, domain);
  const inOrder = (a: S, b: S): number =>
    a.priority - b.priority ||
    Number(a.fromDomains.length === 0) - Number(b.fromDomains.length === 0) ||
    a.row - b.row;
  const [first, ...others] = [
    ...servers.filter(covers).sort(inOrder),
    ...servers.filter((one) => one.isDefault && !covers(one)).sort(inOrder),
    ...(platformServer ? (["platform"] as const) : []),
  ];
  if (first === undefined) return [];
  return [first, ...others.filter((one) => isSigned || (one !== "platform" && covers(one)))];
}

/** Whether a list of domains holds this one; `.a.example` holds what is beneath `a.example`, and an empty list everything. */
function takesDomain(fromDomains: readonly string[], domain: string): boolean {
  if (fromDomains.length === 0) return true;
  return fromDomains.some((one) => (one.startsWith(".") ? domain.endsWith(one) : one === domain));
}
