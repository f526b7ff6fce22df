import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { guardOf, reserveAttempt } from "../../identity/guard-attempts.ts";
import type { ProbeStep, ServerProbe } from "../../ports/server-probe.ts";
import type { Repositories, SmtpServer } from "../../ports/storage.ts";
import { domainOf } from "../../rules/addresses.ts";
import { SecretUnreadable } from "../../rules/secret-box.ts";
import { takesDomain } from "../rules/choose-servers.ts";
import { mailbox } from "../submission/send-fields.ts";
import { serverAddress } from "./server-address.ts";
import { findSmtpServerOrThrow } from "./smtp-server-view.ts";

const input = z.strictObject({
  smtpServerId: uuidField.describe("The mail server's id, a UUID."),
  from: mailbox
    .optional()
    .describe(
      "A sender to try at the server (MAIL FROM, then RSET); nothing is sent. Default: the server's return path, if that is an address; else the workspace's default sender, if the server accepts its domain.",
    ),
});

const unknown: ServerProbe = {
  ok: false,
  steps: [{ step: "connect", ms: 0, error: "this installation's mailer supports no other servers" }],
  extensions: [],
  maxSize: undefined,
};

/**
 * Tests a mail server step by step, and returns how far the test went, whether or not it succeeded; at most 10 times a
 * minute per workspace. A server that was down and answers is used again at once (platform.md P5).
 */
export const testSmtpServer = useCase({
  access: "smtp_servers:write",
  refusals: ["rate_limited"],
  input,
  async prepare(context: ReadContext<"smtp_servers:write">, { smtpServerId, from }): Promise<ServerProbe> {
    const { storage, workspace, runtime } = context;
    await reserveAttempt(context, guardOf.smtpServerTests(workspace.id));
    const server = await findSmtpServerOrThrow(storage, workspace.id, smtpServerId);
    const { mailer } = runtime;
    if (mailer.probe === undefined) return unknown;
    const sender = from?.address ?? (await findUsualSender(storage, workspace.id, server));
    const address = serverAddress(runtime, server);
    if (!(address instanceof SecretUnreadable)) {
      // Mail of a workspace that nobody vouches for goes through no server that takes it from anybody.
      const needsLogin =
        address.username !== undefined && (await storage.workspaces.find(workspace.id))?.isTrusted === false;
      return await mailer.probe({ ...address, ...(needsLogin ? { needsLogin } : {}) }, { from: sender });
    }
    const step: ProbeStep = { step: "auth", ms: 0, error: address.message };
    return { ok: false, steps: [step], extensions: [], maxSize: undefined };
  },
  async run({ storage, workspace, runtime, emit, wake }, { smtpServerId }, probe): Promise<ServerProbe> {
    const server = await findSmtpServerOrThrow(storage, workspace.id, smtpServerId);
    const { row, name, health, healthVersion } = server;
    emit("smtp_server.tested", { metadata: { smtp_server_id: smtpServerId, name, ok: probe.ok } });
    if (probe.ok && health.state === "down") {
      // The next mail tries it, because only a transmission proves that it works.
      const due = { ...health, downUntil: runtime.queueClock.now(), trialUntil: undefined };
      await storage.smtpServers.changeHealth(row, healthVersion, due);
      await storage.emailQueue.unparkServers(workspace.id);
      wake("emails");
    }
    return probe;
  },
});

/**
 * Returns the sender that deliveries give to the server: its own return path, or the workspace's default sender if its mail
 * may go through the server. The address of a `verp` is an e-mail's own.
 */
async function findUsualSender(
  storage: Pick<Repositories, "settings">,
  workspaceId: number,
  { fromDomains, isDefault, returnPath }: Pick<SmtpServer, "fromDomains" | "isDefault" | "returnPath">,
): Promise<string | undefined> {
  if (returnPath !== "sender" && returnPath !== "verp") return returnPath;
  const { defaultSenderEmail = "" } = (await storage.settings.find(workspaceId)) ?? {};
  if (defaultSenderEmail === "") return undefined;
  return isDefault || takesDomain(fromDomains, domainOf(defaultSenderEmail)) ? defaultSenderEmail : undefined;
}
