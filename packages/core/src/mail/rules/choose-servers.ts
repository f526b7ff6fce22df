/** Properties of a server that the choice depends on. */
export interface ChoosableServer {
  /** Row number, which grows with age; of equal servers the older one is chosen. */
  row: number;
  id: string;
  /** User name of the login; empty if there is none. */
  username: string;
  fromDomains: readonly string[];
  isDefault: boolean;
  priority: number;
}

/** Requirements of a mail on its server. */
export interface ServerRequirements {
  /** The sender's domain, ASCII and lower case. */
  domain: string;
  /** The requested server, if it still exists. */
  pinned: string | undefined;
  /** Whether the operator's own server may be used. */
  platformServer: boolean;
  /**
   * Whether only servers of the workspace's own may be used: nobody vouches for it. One without a login need not be its
   * own: it may be anybody's who accepts mail from this service's address.
   */
  ownServersOnly: boolean;
  /** Whether our signature covers the domain, whatever server the mail uses. */
  isSigned: boolean;
}

/**
 * Returns the servers that may carry a mail, in the order of attempts (platform.md P5). With a pinned server, only that
 * one. Otherwise the servers that accept the sender's domain, by priority, where one that lists the domain precedes one
 * that accepts any; then the defaults; then the operator's. After the first, only servers that accept the domain are
 * kept, or all if our signature covers it: otherwise a mail that fails over would fail DMARC.
 */
export function chooseServers<S extends ChoosableServer>(
  active: readonly S[],
  { domain, pinned, platformServer, ownServersOnly, isSigned }: ServerRequirements,
): (S | "platform")[] {
  const isPlatforms = platformServer && !ownServersOnly;
  // Most workspaces have no server of their own.
  if (active.length === 0) return isPlatforms ? ["platform"] : [];
  const isUsable = ({ username }: S): boolean => !ownServersOnly || username !== "";
  const wanted = active.find(({ id }) => id === pinned);
  if (wanted !== undefined) return isUsable(wanted) ? [wanted] : [];
  const servers = active.filter(isUsable);
  const covers = ({ fromDomains }: S): boolean => takesDomain(fromDomains, domain);
  const inOrder = (a: S, b: S): number =>
    a.priority - b.priority ||
    Number(a.fromDomains.length === 0) - Number(b.fromDomains.length === 0) ||
    a.row - b.row;
  const [first, ...others] = [
    ...servers.filter(covers).sort(inOrder),
    ...servers.filter((one) => one.isDefault && !covers(one)).sort(inOrder),
    ...(isPlatforms ? (["platform"] as const) : []),
  ];
  if (first === undefined) return [];
  return [first, ...others.filter((one) => isSigned || (one !== "platform" && covers(one)))];
}

/**
 * Whether a list of domains contains this one; `.a.example` matches subdomains of `a.example`, and an empty list
 * matches every domain.
 */
export function takesDomain(fromDomains: readonly string[], domain: string): boolean {
  if (fromDomains.length === 0) return true;
  return fromDomains.some((one) => (one.startsWith(".") ? domain.endsWith(one) : one === domain));
}
