import { domainToASCII } from "node:url";
import type { Listed } from "./find-listed.ts";

/** Addresses mean the same in any case. */
const inLowerCase = (name: string): string => name.toLowerCase();

/** Webhooks of a workspace, by id or URL. */
export const webhooks: Listed<"GET /workspaces/current/webhooks"> = {
  asks: "GET /workspaces/current/webhooks",
  thing: "webhook",
  names: ({ id, url }) => [id, url],
};

/** Campaigns of a workspace, by id or name. */
export const campaigns: Listed<"GET /workspaces/current/campaigns"> = {
  asks: "GET /workspaces/current/campaigns",
  thing: "campaign",
  names: ({ id, name }) => [String(id), name],
  isPaged: true,
};

/** Templates of a workspace, by id or name. */
export const templates: Listed<"GET /workspaces/current/templates"> = {
  asks: "GET /workspaces/current/templates",
  thing: "template",
  names: ({ id, name }) => [id, name],
  isPaged: true,
};

/** Stylesheets of a workspace, by id or name. */
export const stylesheets: Listed<"GET /workspaces/current/stylesheets"> = {
  asks: "GET /workspaces/current/stylesheets",
  thing: "stylesheet",
  names: ({ id, name }) => [id, name],
  isPaged: true,
};

/** Sending domains of a workspace, by id or name. */
export const domains: Listed<"GET /workspaces/current/domains"> = {
  asks: "GET /workspaces/current/domains",
  thing: "domain",
  names: ({ id, name }) => [id, name],
  spell: (name) => domainToASCII(name) || name,
  isPaged: true,
};

/** Mail servers of a workspace, by id or name. */
export const smtpServers: Listed<"GET /workspaces/current/smtp-servers"> = {
  asks: "GET /workspaces/current/smtp-servers",
  thing: "mail server",
  names: ({ id, name }) => [id, name],
  isPaged: true,
};

/** Inbound endpoints of a workspace, by id or provider. */
export const inboundEndpoints: Listed<"GET /workspaces/current/inbound-endpoints"> = {
  asks: "GET /workspaces/current/inbound-endpoints",
  thing: "endpoint",
  names: ({ id, provider }) => [id, provider],
  isPaged: true,
};

/** Members of a workspace, by the user's id, address or name. */
export const members: Listed<"GET /workspaces/current/members"> = {
  asks: "GET /workspaces/current/members",
  thing: "member",
  names: ({ user_id, email, name }) => [String(user_id), email, name],
  spell: inLowerCase,
};

/** Pending invitations of a workspace, by id or address. */
export const invitations: Listed<"GET /workspaces/current/invitations"> = {
  asks: "GET /workspaces/current/invitations",
  thing: "invitation",
  names: ({ id, email }) => [String(id), email],
  spell: inLowerCase,
};

/** API keys of a workspace, by id, prefix or name. */
export const apiKeys: Listed<"GET /workspaces/current/api-keys"> = {
  asks: "GET /workspaces/current/api-keys",
  thing: "API key",
  names: ({ id, prefix, name }) => [id, prefix, `${prefix}…`, name],
  isPaged: true,
};

/** Users, by id or address. */
export const users: Listed<"GET /admin/users"> = {
  asks: "GET /admin/users",
  thing: "user",
  names: ({ id, email }) => [String(id), email],
  spell: inLowerCase,
  isPaged: true,
};

/** Plans, by id or name. */
export const plans: Listed<"GET /admin/plans"> = {
  asks: "GET /admin/plans",
  thing: "plan",
  names: ({ id, name }) => [String(id), name],
};
