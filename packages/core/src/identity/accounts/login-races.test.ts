import { hash } from "@node-rs/argon2";
import { generateSync } from "otplib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import type { User } from "../../ports/storage.ts";
import { createWorld, type World } from "../../testing/index.ts";

const ada = { name: "Ada", email: "ada@example.com", password: "the engine weaves algebra" };
const anonymous = { as: { kind: "anonymous" }, client: { ip: "192.0.2.1" } } as const;

let world: World;
/** Called once between the check of the password and the transaction of the login or verification. */
let meanwhile: (user: User) => Promise<unknown>;
beforeEach(async () => {
  meanwhile = async () => {};
  const storage = await openTestSqlite();
  const then = async (found: User | undefined) => {
    const once = meanwhile;
    if (found === undefined) return found;
    meanwhile = async () => {};
    await once(found);
    return found;
  };
  world = await createWorld(
    {
      ...storage,
      users: {
        ...storage.users,
        findByEmail: async (email) => then(await storage.users.findByEmail(email)),
        find: async (id) => then(await storage.users.find(id)),
      },
    },
    { registration: "open" },
  );
  await world.posthorn.accounts.register(ada, anonymous);
});
afterEach(() => world.close());

const login = (twoFactorCode?: string) =>
  world.posthorn.accounts.login(
    { email: ada.email, password: ada.password, ...(twoFactorCode === undefined ? {} : { twoFactorCode }) },
    anonymous,
  );

test("of two logins at once, both open a session, though one stores a new hash for outdated parameters", async () => {
  const { user } = await login();
  const outdated = await hash(ada.password, { memoryCost: 32, timeCost: 1 });
  await world.storage.users.update(user.id, { passwordHash: outdated });
  meanwhile = () => login();
  await expect(login()).resolves.toBeDefined();
  expect((await world.storage.users.find(user.id))?.passwordHash).not.toBe(outdated);
  await expect(login()).resolves.toBeDefined();
});

test("a password that was changed while it was checked opens no session", async () => {
  await expect(login()).resolves.toBeDefined();
  meanwhile = ({ id }) => world.storage.users.update(id, { passwordHash: "another" });
  await expect(login()).rejects.toMatchObject({ code: "invalid_credentials" });
});

test("nor does it verify the address", async () => {
  await world.posthorn.drain();
  const token = /\?token=([\w-]{43})/.exec(world.mailer.inbox.find({ to: ada.email })?.text ?? "")?.[1] ?? "";
  const verify = () => world.posthorn.accounts.verifyEmail({ token, password: ada.password }, anonymous);
  meanwhile = ({ id }) => world.storage.users.update(id, { passwordHash: "another" });
  await expect(verify()).rejects.toMatchObject({ details: [{ path: "password" }] });
});

test("a code is not looked at if it was not counted as a guess: two-factor login was enabled meanwhile", async () => {
  const { token, user } = await login();
  await world.storage.users.update(user.id, { emailVerifiedAt: world.clock.now() });
  const as = await world.posthorn.authenticateUser(token);
  if (as === undefined) throw new Error("the token is refused");
  const { secret } = await world.posthorn.twoFactor.setup({}, { as });
  const codeIn = (seconds: number) => generateSync({ secret, epoch: world.clock.now() / 1000 + seconds });
  meanwhile = () => world.posthorn.twoFactor.verify({ code: codeIn(0) }, { as });
  await expect(login(codeIn(30))).rejects.toMatchObject({ code: "two_factor_required" });
  await expect(login(codeIn(30))).resolves.toBeDefined();
});
