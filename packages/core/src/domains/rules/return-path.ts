/** Returns the domain of a sending domain's return paths. */
export const returnPathDomain = ({ name, returnPath }: { name: string; returnPath: string }): string =>
  `${returnPath}.${name}`;

/**
 * Returns the SPF record for the return path's domain, which receivers check: it allows the operator's servers, or else
 * those that may send for the domain itself. Empty if neither is known.
 */
export function returnPathSpf(
  name: string,
  { include, hasSpf }: { include: string | undefined; hasSpf: boolean },
): string {
  if (include !== undefined) return `v=spf1 include:${include} ~all`;
  return hasSpf ? `v=spf1 redirect=${name}` : "";
}

/** The preference of the MX record that points to this service. */
export const exchangePriority = 10;
