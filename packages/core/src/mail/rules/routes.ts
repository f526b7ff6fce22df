/**
 * Routes: what must wait together. Decided at acceptance; a name of the form `w:7`, and for what a workspace will have of its own
 * `c:7:…` (a campaign) and `s:7:12-15` (SMTP servers), so that the workspace can be told from it.
 */

/** The service's own mails. */
export const serviceRoute = "service";

/** A workspace's mails on the operator's own server. */
export const workspaceRoute = (workspaceId: number): string => `w:${workspaceId}`;

/**
 * A workspace's mails on servers of its own: those that may carry them, by their rows, the first before the others. What may go by
 * the same servers waits together, so that a hold is right for all of it. 0 is the operator's server.
 */
export const serversRoute = (workspaceId: number, rows: readonly number[]): string =>
  rows.length === 1 && rows[0] === 0 ? workspaceRoute(workspaceId) : `s:${workspaceId}:${rows.join("-")}`;

/** Whether mails wait there for servers of a workspace. */
export const isServersRoute = (route: string): boolean => route.startsWith("s:");
/** Whether a campaign's mails wait there: they go by whatever servers their workspace has. */
export const isCampaignRoute = (route: string): boolean => route.startsWith("c:");

/** The mails of one campaign. */
export const campaignRoute = (workspaceId: number, campaignId: number): string =>
  `c:${workspaceId}:${campaignId}`;

/** Whose mails wait there: `undefined` for the service's own. */
export function workspaceOfRoute(route: string): number | undefined {
  const [, workspace] = route.split(":");
  return workspace === undefined ? undefined : Number(workspace);
}
