/**
 * Returns a webhook's URL for a log: its origin, and `/…` for what follows, which may be a secret of its receiver, as with
 * chat services. Administrators read the events of workspaces that they are no members of.
 */
export function redactUrl(url: string): string {
  const { origin, href } = new URL(url);
  return href === `${origin}/` ? href : `${origin}/…`;
}
