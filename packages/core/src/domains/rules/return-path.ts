/** The domain of a sending domain's return paths. */
export const returnPathDomain = ({ name, returnPath }: { name: string; returnPath: string }): string =>
  `${returnPath}.${name}`;

/**
 * The SPF record for the domain of the return paths, which receivers look at: the operator's servers, else those that may send for the
 * domain itself. Empty where neither is known.
 */
export function returnPathSpf(
  name: string,
  { include, hasSpf }: { include: string | undefined; hasSpf: boolean },
): string {
  if (include !== undefined) return `v=spf1 include:${include} ~all`;
  return hasSpf ? `v=spf1 redirect=${name}` : "";
}

/** The preference of the MX record that leads to this service. */
export const exchangePriority = 10;
