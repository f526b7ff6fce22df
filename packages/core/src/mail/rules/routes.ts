/**
 * A route names e-mails that must wait together. It is decided at acceptance. The form is `w:7`, and for a workspace's
 * own resources `c:7:…` (a campaign) and `s:7:12-15` (SMTP servers), so that the workspace can be read from it.
 */

/** Maximum mail servers of one workspace under any plan, because a route's name lists those that may carry a mail. */
export const maxServers = 20;

/** Route of the service's own mails. */
export const serviceRoute = "service";

/** Route of a workspace's mails on the operator's own server. */
export const workspaceRoute = (workspaceId: number): string => `w:${workspaceId}`;

/**
 * Route of a workspace's mails on servers of its own, named by the rows of possible servers, with the first choice in
 * front. Mails with the same servers wait together, so that a hold is right for all of them. 0 is the operator's
 * server.
 */
export const serversRoute = (workspaceId: number, rows: readonly number[]): string =>
  rows.length === 1 && rows[0] === 0 ? workspaceRoute(workspaceId) : `s:${workspaceId}:${rows.join("-")}`;

/** Whether the route waits for servers of a workspace. */
export const isServersRoute = (route: string): boolean => route.startsWith("s:");
/** Whether the route belongs to a campaign, whose mails use whatever servers their workspace has. */
export const isCampaignRoute = (route: string): boolean => route.startsWith("c:");

/** Route of the mails of one campaign. */
export const campaignRoute = (workspaceId: number, campaignId: number): string =>
  `c:${workspaceId}:${campaignId}`;

/** Returns the workspace whose own servers may carry the route's mails; `undefined` if only the operator's does. */
export const tenantOfRoute = (route: string): number | undefined =>
  isServersRoute(route) || isCampaignRoute(route) ? workspaceOfRoute(route) : undefined;

/**
 * Part of a process's slots, and of its memory for e-mails, that mails of such workspaces may take at once: their servers
 * may stall, and the rest is for mails that only the operator's server carries.
 */
export const tenantsPart = 0.75;

/** Returns the workspace of a route; `undefined` for the service's own mails. */
export function workspaceOfRoute(route: string): number | undefined {
  const [, workspace] = route.split(":");
  return workspace === undefined ? undefined : Number(workspace);
}
