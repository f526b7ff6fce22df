import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { domainWire } from "../wire/domains.ts";
import { noContent } from "../wire/schemas.ts";

const { domains } = useCases;

const path = "/workspaces/current/domains";
const domainId = { id: "domainId" } as const;

/** Routes of sending domains (platform.md P6). */
export const domainRoutes = [
  route(`POST ${path}`, domains.create, {
    summary: "Add a sending domain",
    status: 201,
    reply: domainWire,
  }),
  route(`GET ${path}`, domains.list, {
    summary: "List sending domains",
    envelope: "page",
    reply: domainWire,
  }),
  route(`GET ${path}/{id}`, domains.get, {
    summary: "Read a sending domain",
    params: domainId,
    reply: domainWire,
  }),
  route(`PUT ${path}/{id}`, domains.update, {
    summary: "Change a sending domain",
    params: domainId,
    reply: domainWire,
  }),
  route(`POST ${path}/{id}/verify`, domains.verify, {
    summary: "Verify a sending domain's DNS records now",
    params: domainId,
    reply: domainWire,
  }),
  route(`POST ${path}/{id}/rotate-dkim`, domains.rotateDkim, {
    summary: "Rotate the DKIM keys",
    params: domainId,
    reply: domainWire,
  }),
  route(`DELETE ${path}/{id}`, domains.delete, {
    summary: "Remove a sending domain",
    params: domainId,
    status: 204,
    envelope: "none",
    reply: noContent,
  }),
] as const;
