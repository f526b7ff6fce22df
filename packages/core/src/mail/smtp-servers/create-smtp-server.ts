import { z } from "zod";
import { orTaken } from "../../calls/or-taken.ts";
import { useCase } from "../../calls/use-case.ts";
import { findLimits } from "../../workspaces/plans/effective-plan.ts";
import { assertWithinLimit } from "../../workspaces/plans/plan-limit.ts";
import { getWorkspaceOrThrow } from "../../workspaces/workspace-view.ts";
import { maxServers } from "../rules/routes.ts";
import { assertReturnPath } from "./assert-return-path.ts";
import { assertServer, smtpServerFields } from "./smtp-server-fields.ts";
import { passwordContext, type SmtpServerView, viewSmtpServer } from "./smtp-server-view.ts";

const input = z.strictObject({
  ...smtpServerFields,
  port: smtpServerFields.port.optional(),
  security: smtpServerFields.security.default("starttls"),
  username: smtpServerFields.username.default(""),
  password: smtpServerFields.password.optional(),
  fromDomains: smtpServerFields.fromDomains.default([]),
  isDefault: smtpServerFields.isDefault.default(false),
  isActive: smtpServerFields.isActive.default(true),
  priority: smtpServerFields.priority.default(50),
  maxConnections: smtpServerFields.maxConnections.default(3),
  maxPerSecond: smtpServerFields.maxPerSecond.default(null),
  maxPerHour: smtpServerFields.maxPerHour.default(null),
  returnPath: smtpServerFields.returnPath.default("sender"),
});

/**
 * Adds a mail server to the workspace, within the plan's `max_smtp_servers` (platform.md P5). Does not connect to it;
 * `test` does.
 */
export const createSmtpServer = useCase({
  access: "smtp_servers:write",
  refusals: ["plan_limit_reached", "smtp_server_name_taken"],
  locksWorkspace: true,
  input,
  async run({ storage, workspace, runtime, config, now, emit, wake }, given): Promise<SmtpServerView> {
    const {
      password,
      port = given.security === "tls" ? 465 : 587,
      maxPerSecond,
      maxPerHour,
      ...rest
    } = given;
    const hasPassword = password !== undefined && password !== "";
    const { host } = assertServer({ ...rest, port, hasPassword }, config);
    await assertReturnPath({ storage, workspace, config }, rest.returnPath);
    const { planId } = await getWorkspaceOrThrow(storage, workspace.id);
    const { maxSmtpServers } = await findLimits(storage, { planId });
    const limit = maxSmtpServers === 0 ? maxServers : Math.min(maxSmtpServers, maxServers);
    await assertWithinLimit("max_smtp_servers", limit, () => storage.smtpServers.count(workspace.id));
    const id = runtime.newId();
    const row = {
      ...rest,
      id,
      workspaceId: workspace.id,
      host,
      port,
      password: hasPassword ? runtime.secrets.seal(password, passwordContext(id)) : undefined,
      maxPerSecond: maxPerSecond ?? undefined,
      maxPerHour: maxPerHour ?? undefined,
      createdAt: now,
    };
    const server = await orTaken(storage.smtpServers.insert(row), "smtp_server_name_taken");
    await storage.emailQueue.unparkServers(workspace.id);
    emit("smtp_server.created", { metadata: { smtp_server_id: id, name: server.name, host } });
    wake("emails");
    return await viewSmtpServer(storage, server, { role: workspace.role, now });
  },
});
