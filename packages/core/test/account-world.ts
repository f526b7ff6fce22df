import { generateSync } from "otplib";
import { afterEach, beforeEach } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld, type World } from "../src/testing/index.ts";

export const ada = { name: "Ada", email: "Ada@Example.com", password: "the engine weaves algebra" };
export const client = { ip: "192.0.2.1", userAgent: "test" };
export const anonymous = { as: { kind: "anonymous" }, client } as const;
export let world: World;

export const login = (
  input: { password?: string; email?: string; twoFactorCode?: string | null } = {},
  ip = client.ip,
) =>
  world.posthorn.accounts.login(
    { email: ada.email, password: ada.password, ...input },
    { ...anonymous, client: { ...client, ip } },
  );

/** Returns the token of the newest mail with a subject. */
export async function mailedToken(subject: string, to = ada.email): Promise<string> {
  await world.posthorn.drain();
  const mail = world.mailer.inbox
    .all()
    .filter((one) => one.subject === subject && one.envelope.to.includes(to))
    .at(-1);
  const token = /\?token=([\w-]{43})/.exec(mail?.text ?? "")?.[1];
  if (token === undefined) throw new Error(`there is no mail "${subject}" with a token for ${to}`);
  return token;
}

export async function callerOf(token: string) {
  const caller = await world.posthorn.authenticateUser(token);
  if (caller === undefined) throw new Error("the token is refused");
  return caller;
}

export const typesOf = async (userId: number): Promise<string[]> =>
  (await world.storage.events.list({ workspaceId: "all", userId }, { offset: 0, limit: 100 })).items.map(
    ({ type }) => type,
  );

export const codeOf = (secret: string) =>
  generateSync({ secret, epoch: Math.floor(world.clock.now() / 1000) });

export async function enableTwoFactor() {
  const { token, user } = await login();
  await world.storage.users.update(user.id, { emailVerifiedAt: world.clock.now() });
  const caller = await callerOf(token);
  const { secret } = await world.posthorn.twoFactor.setup({}, { as: caller });
  const code = codeOf(secret);
  const { recoveryCodes } = await world.posthorn.twoFactor.verify({ code }, { as: caller });
  return { secret, code, recoveryCodes, caller };
}

/** Opens a world with open registration before each test of a file, and closes it after. */
export function openAccountWorldForEach(): void {
  beforeEach(async () => {
    world = await createWorld(await openTestSqlite(), { registration: "open" });
  });
  afterEach(() => world.close());
}
