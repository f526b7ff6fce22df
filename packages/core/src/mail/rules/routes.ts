/**
 * Routes: what must wait together. Decided at acceptance; a name of the form `w:7`, and for what a workspace will have of its own
 * `c:7:…` (a campaign) and `s:7:…` (an SMTP server), so that the workspace can be told from it.
 */

/** The service's own mails. */
export const serviceRoute = "service";

/** A workspace's mails on the operator's own server. */
export const workspaceRoute = (workspaceId: number): string => `w:${workspaceId}`;

/** Whose mails wait there: `undefined` for the service's own. */
export function workspaceOfRoute(route: string): number | undefined {
  const [, workspace] = route.split(":");
  return workspace === undefined ? undefined : Number(workspace);
}
