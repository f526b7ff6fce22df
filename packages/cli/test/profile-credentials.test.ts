import { expect, test } from "vitest";
import { codeAt } from "../../http/test/authenticator.ts";
import { connectToServer } from "../src/program/connection/connect-to-server.ts";
import { toCliError } from "../src/program/errors/to-cli-error.ts";
import { openCommandWorld } from "./command-world.ts";
import { serveWorld } from "./serve-world.ts";
import { openVerbWorld } from "./verb-world.ts";

const password = "correct horse battery";

test("an API key alone can send and show e-mails, and nothing else", async () => {
  const { run } = await openVerbWorld(async (world) => {
    const { asOwner } = await world.addWorkspace({ name: "Keyed" });
    const { key } = await world.posthorn.apiKeys.create({ name: "k" }, asOwner);
    return connectToServer("prod", { url: await serveWorld(world), api_key: key });
  });
  const [sent] = (await run("emails", "send", "--to", "a@example.com", "--subject", "x", "--text", "x")) as {
    id: string;
  }[];
  expect(await run("emails", "list", "--all")).toMatchObject([[{ id: sent?.id, subject: "x" }]]);
  const more = ["--metadata", "order=10=07", "--metadata", '{"n": 1}'];
  expect(
    await run("emails", "send", "--to", "a@example.com", "--subject", "y", "--text", "y", ...more),
  ).toMatchObject([{ metadata: { order: "10=07", n: 1 } }]);
  await expect(
    run("emails", "send", "--to", "a@example.com", "--subject", "y", "--text", "y", "--metadata", "order"),
  ).rejects.toThrow("--metadata is not valid JSON");
  expect(await run("emails", "show", sent?.id ?? "")).toMatchObject([
    { recipients: [{ address: "a@example.com" }] },
  ]);
  expect(await run("emails", "cancel", sent?.id ?? "")).toMatchObject([{ status: "cancelled" }]);
  await expect(run("webhooks")).rejects.toThrow("needs a login");
});

test("an API key alone acts on no workspace that was named to it, unless by its own number", async () => {
  const { run, shop } = await openVerbWorld(async (world) => {
    const { id, asOwner } = await world.addWorkspace({ name: "Keyed" });
    const { key } = await world.posthorn.apiKeys.create({ name: "k" }, asOwner);
    expect(id).toBe(2);
    return connectToServer("prod", { url: await serveWorld(world), api_key: key });
  });
  const send = ["emails", "send", "--to", "a@example.com", "--subject", "x", "--text", "x"];
  for (const name of ["Shop", "Keyed", "Nowhere"])
    await expect(run(...send, "--workspace", name)).rejects.toMatchObject({
      failure: "usage",
      message: `An API key can't look up the workspace "${name}".`,
    });
  const foreign = await run(...send, "--workspace", `${shop.id}`).catch((error: unknown) =>
    toCliError(error),
  );
  expect(foreign).toMatchObject({
    failure: "not_allowed",
    message: "The profile's API key belongs to another workspace.",
    hint: expect.stringContaining("posthorn profiles add"),
  });
  expect(await run("emails")).toEqual([[]]);
  await run(...send, "--workspace", "2");
  expect(await run("emails", "--workspace", " 2")).toMatchObject([[{ subject: "x" }]]);
});

test("a key that the server does not know is refused in the command's words, not the API's", async () => {
  const { world } = await openVerbWorld();
  const api = connectToServer("prod", { url: await serveWorld(world), api_key: `sk_${"x".repeat(40)}` });
  const refused = await api.request("GET /emails").catch((error: unknown) => toCliError(error));
  expect(refused).toMatchObject({
    message: "The server does not accept this key or login.",
    hint: expect.stringContaining("posthorn profiles"),
  });
});
test("a password with a space at its end logs in at a server, and a key's line may end with one", async () => {
  const world = await openCommandWorld();
  const url = await serveWorld(world);
  const email = "ada@example.com";
  const spaced = "correct horse battery ";
  await world.pipe(`${spaced}\n`, "users", "create", "--email", email, "--name", "Ada", "--password-stdin");
  const { id } = await world.posthorn.workspaces.createFor({ name: "Shop", userId: 1 });
  const { key } = await world.posthorn.apiKeys.create({ name: "prod" }, { workspaceId: id });
  const [login, added] = [
    await world.pipe(
      `${spaced}\n`,
      "profiles",
      "login",
      "ada",
      "--url",
      url,
      "--email",
      email,
      "--password-stdin",
    ),
    await world.pipe(`${key} \n`, "profiles", "add", "shop", "--url", url, "--key-stdin"),
  ];
  expect([login, added]).toMatchObject([{ code: 0 }, { code: 0 }]);
});

test("a two-factor code comes through standard input, and from no flag's value", async () => {
  const world = await openCommandWorld();
  const url = await serveWorld(world);
  const email = "ada@example.com";
  await world.pipe(password, "users", "create", "--email", email, "--name", "Ada", "--password-stdin");
  const { token } = await world.posthorn.accounts.login({ email, password });
  const as = await world.posthorn.authenticateUser(token);
  if (as === undefined) throw new Error("the token is refused");
  const { secret } = await world.posthorn.twoFactor.setup({}, { as });
  const code = codeAt(secret, Date.now());
  const { recoveryCodes } = await world.posthorn.twoFactor.verify({ code }, { as });
  const line = ["profiles", "login", "ada", "--url", url, "--email", email];
  const flags = ["--password-stdin", "--code-stdin"];
  const [withCode, without, alone, asFlag] = [
    await world.pipe(`${password}\n${recoveryCodes[0]}\n`, ...line, ...flags),
    await world.pipe(`${password}\n`, ...line, ...flags),
    await world.pipe(`${recoveryCodes[1]}\n`, ...line, "--code-stdin"),
    await world.pipe(`${password}\n`, ...line, "--password-stdin", "--code", recoveryCodes[1] ?? ""),
  ];
  expect(withCode).toMatchObject({ code: 0 });
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining("two lines") });
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining("add --password-stdin") });
  expect(asFlag).toMatchObject({ code: 2 });
});
