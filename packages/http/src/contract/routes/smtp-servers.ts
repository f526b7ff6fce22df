import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { noContent } from "../wire/schemas.ts";
import { smtpServerTestWire, smtpServerWire } from "../wire/smtp-servers.ts";

const { smtpServers } = useCases;

const serversPath = "/workspaces/current/smtp-servers";
const serverId = { id: "smtpServerId" } as const;

/** Routes of a workspace's own mail servers (platform.md P5). */
export const smtpServerRoutes = [
  route(`POST ${serversPath}`, smtpServers.create, {
    summary: "Add a mail server",
    status: 201,
    reply: smtpServerWire,
  }),
  route(`GET ${serversPath}`, smtpServers.list, {
    summary: "List the mail servers",
    envelope: "page",
    reply: smtpServerWire,
  }),
  route(`GET ${serversPath}/{id}`, smtpServers.get, {
    summary: "Read a mail server and its state",
    params: serverId,
    reply: smtpServerWire,
  }),
  route(`PUT ${serversPath}/{id}`, smtpServers.update, {
    summary: "Change a mail server",
    params: serverId,
    reply: smtpServerWire,
  }),
  route(`DELETE ${serversPath}/{id}`, smtpServers.delete, {
    summary: "Remove a mail server",
    params: serverId,
    status: 204,
    envelope: "none",
    reply: noContent,
  }),
  route(`POST ${serversPath}/{id}/test`, smtpServers.test, {
    summary: "Test a mail server step by step",
    params: serverId,
    reply: smtpServerTestWire,
  }),
] as const;
