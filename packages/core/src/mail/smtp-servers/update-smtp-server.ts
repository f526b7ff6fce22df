import { z } from "zod";
import type { FieldChange } from "../../calls/changes-of.ts";
import { atLeastOne } from "../../calls/input/at-least-one.ts";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { orTaken } from "../../calls/or-taken.ts";
import { useCase } from "../../calls/use-case.ts";
import { fieldError, ServiceError } from "../../errors.ts";
import {
  healthySmtpServer,
  type SmtpServer,
  type SmtpServerHealth,
  type SmtpServerSettings,
} from "../../ports/storage.ts";
import { snakeCase } from "../../rules/snake-case.ts";
import type { Facilities } from "../../service/runtime.ts";
import { assertReturnPath } from "./assert-return-path.ts";
import { assertServer, smtpServerFields } from "./smtp-server-fields.ts";
import {
  findSmtpServerOrThrow,
  passwordContext,
  type SmtpServerView,
  viewSmtpServer,
} from "./smtp-server-view.ts";

const input = z
  .strictObject({
    smtpServerId: uuidField.describe("The mail server's id, a UUID."),
    ...z.object(smtpServerFields).partial().shape,
    password: smtpServerFields.password
      .nullable()
      .optional()
      .describe(
        "A new password, at most 1,000 characters; null or empty for none. Required again if host, port or user name change, or security becomes none.",
      ),
  })
  .apply(atLeastOne, "smtpServerId");

type Given = Omit<z.output<typeof input>, "smtpServerId">;

/** Changes a mail server; connections with the former settings are closed, and a server that was down is tried again (platform.md P5). */
export const updateSmtpServer = useCase({
  access: "smtp_servers:write",
  refusals: ["smtp_server_name_taken"],
  // Simultaneous changes of different fields must both be kept.
  locksWorkspace: true,
  input,
  async run(
    { storage, workspace, runtime, config, now, emit, wake },
    { smtpServerId, ...given },
  ): Promise<SmtpServerView> {
    const before = await findSmtpServerOrThrow(storage, workspace.id, smtpServerId);
    const wanted = settingsOf(runtime, before, given);
    const { host } = assertServer({ ...wanted, hasPassword: wanted.password !== undefined }, config);
    const after = { ...wanted, host };
    assertPasswordAgain(before, after, given);
    if (after.returnPath !== before.returnPath)
      await assertReturnPath({ storage, workspace, config }, after.returnPath);
    const changes = changesBetween(before, after);
    const viewer = { role: workspace.role, now: runtime.queueClock.now() };
    if (Object.keys(changes).length === 0) return viewSmtpServer(storage, before, viewer);
    const isMended = mending.some((field) => changes[field] !== undefined);
    const row = {
      ...after,
      updatedAt: now,
      ...(isMended && { health: mendedHealth(before, runtime.queueClock.now()) }),
    };
    const updated = await orTaken(
      storage.smtpServers.update(workspace.id, smtpServerId, row),
      "smtp_server_name_taken",
    );
    if (updated === undefined) throw new ServiceError("not_found");
    await storage.emailQueue.unparkServers(workspace.id);
    emit("smtp_server.updated", {
      metadata: { smtp_server_id: smtpServerId, name: updated.name, changes },
    });
    wake("emails");
    return await viewSmtpServer(storage, updated, viewer);
  },
});

/** Fields whose change may repair a server that is down. */
const mending = ["host", "port", "security", "username", "password", "is_active"];

/**
 * Returns the health after a change that may repair a server. One that was down stays so until an e-mail, which may try
 * it at once, gets through: that it works again is then announced as its failure was.
 */
function mendedHealth({ health }: SmtpServer, now: number): SmtpServerHealth {
  if (health.state === "down") return { ...health, downUntil: now, trialUntil: undefined, downTimes: 0 };
  return healthySmtpServer;
}

/** Returns the settings after the change. */
function settingsOf(
  { secrets }: Pick<Facilities, "secrets">,
  before: SmtpServer,
  given: Given,
): SmtpServerSettings {
  const { row: _, workspaceId: __, version: ___, health: ____, healthVersion: _____, ...rest } = before;
  const { id, createdAt: ______, updatedAt: _______, ...former } = rest;
  const { password, maxPerSecond, maxPerHour, ...fields } = given;
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const username = fields.username ?? former.username;
  return {
    ...former,
    ...set,
    maxPerSecond: maxPerSecond === undefined ? former.maxPerSecond : (maxPerSecond ?? undefined),
    maxPerHour: maxPerHour === undefined ? former.maxPerHour : (maxPerHour ?? undefined),
    password: sealedPassword(),
  };

  function sealedPassword(): string | undefined {
    // Without a user name there is no login.
    if (password === undefined) return username === "" ? undefined : former.password;
    return password === null || password === "" ? undefined : secrets.seal(password, passwordContext(id));
  }
}

/** A caller who may change a server must not learn its password by sending it to another host. */
function assertPasswordAgain(before: SmtpServer, after: SmtpServerSettings, { password }: Given): void {
  const moved = (["host", "port", "username"] as const).some((field) => before[field] !== after[field]);
  const isWeaker = before.security !== "none" && after.security === "none";
  if ((moved || isWeaker) && password === undefined && after.password !== undefined)
    throw fieldError(
      "password",
      "must be given again if host, port or user name change, or security becomes none",
    );
}

/** Returns the changed fields, named as in the API; for a password only whether there is one. */
function changesBetween(
  before: SmtpServer,
  { password, ...after }: SmtpServerSettings,
): Record<string, FieldChange> {
  const found: Record<string, FieldChange> = {};
  for (const [key, to] of Object.entries(after)) {
    const from: unknown = before[key as keyof SmtpServerSettings];
    if (JSON.stringify(from) !== JSON.stringify(to))
      found[snakeCase(key)] = { from: from ?? null, to: to ?? null };
  }
  const word = (sealed: string | undefined): string => (sealed === undefined ? "none" : "set");
  // Each password that is given is sealed anew.
  if (before.password !== password) found["password"] = { from: word(before.password), to: word(password) };
  return found;
}
