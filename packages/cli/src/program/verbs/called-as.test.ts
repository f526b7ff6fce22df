import { Command } from "commander";
import { expect, test } from "vitest";
import { commands } from "../../commands.ts";
import { asCalled, calledAs, workspaceNouns } from "./called-as.ts";

test.each([
  ["a shell", {}, "posthorn"],
  ["npx", { npm_command: "exec", npm_lifecycle_script: "posthorn dev" }, "npx posthorn"],
  ["npx, which quotes", { npm_command: "exec", npm_lifecycle_script: '"posthorn" "dev"' }, "npx posthorn"],
  [
    "a script of package.json",
    { npm_command: "run-script", npm_lifecycle_script: "NODE_ENV=test posthorn dev mail/" },
    "npx posthorn",
  ],
  ["a program that npm started", { npm_command: "test", npm_lifecycle_script: "vitest run" }, "posthorn"],
  ["a program of such a name", { npm_lifecycle_script: "node posthorn.js" }, "posthorn"],
])("started by %s, hints name the same command", (_, env, called) => {
  expect(calledAs(env)).toBe(called);
});

test("a hint's command can be typed as shown, and its prose is unchanged", () => {
  const env = { npm_lifecycle_script: "posthorn emails show x" };
  expect(asCalled("Try: posthorn emails list", {}, env)).toBe("Try: npx posthorn emails list");
  expect(asCalled("Stop posthorn serve. Then: posthorn migrate", {}, env)).toBe(
    "Stop posthorn serve. Then: npx posthorn migrate",
  );
  expect(asCalled("Try: posthorn emails list", {}, {})).toBe("Try: posthorn emails list");
  expect(asCalled("Try: npx posthorn emails list", {}, env)).toBe("Try: npx posthorn emails list");
});

test("a hint's command acts on the same database or server as the one that gives it", () => {
  expect(asCalled("Try: posthorn emails list", { dev: true }, {})).toBe("Try: posthorn --dev emails list");
  expect(asCalled("It is a draft. Start it with: posthorn campaigns start 1", { profile: "it's" }, {})).toBe(
    "It is a draft. Start it with: posthorn --profile 'it'\\''s' campaigns start 1",
  );
  expect(asCalled("Begin delivery: posthorn queue resume", { envFile: "/etc/posthorn.env" }, {})).toBe(
    "Begin delivery: posthorn --environment-file /etc/posthorn.env queue resume",
  );
  expect(asCalled("Start one: posthorn serve, or posthorn worker", { envFile: "a.env" }, {})).toBe(
    "Start one: posthorn --environment-file a.env serve, or posthorn --environment-file a.env worker",
  );
  expect(asCalled("Start one: posthorn serve, or posthorn worker", { dev: true }, {})).toBe(
    "Start one: posthorn dev",
  );
  const known = "See the profile's server: posthorn profiles. Start it: posthorn dev";
  expect(asCalled(known, { profile: "prod" }, {})).toBe(known);
  expect(asCalled("posthorn --dev emails list", { dev: true }, {})).toBe("posthorn --dev emails list");
});

test("a hint's command acts on the database and the workspace that the options named", () => {
  const shop = { workspace: "My shop" };
  expect(asCalled('There is none. Try: posthorn templates versions "a b"', shop, {})).toBe(
    "There is none. Try: posthorn templates versions --workspace 'My shop' \"a b\"",
  );
  expect(
    asCalled("Follow it: posthorn emails show 1. Is a worker running? posthorn queue status", shop, {}),
  ).toBe(
    "Follow it: posthorn emails show --workspace 'My shop' 1. Is a worker running? posthorn queue status",
  );
  const known =
    "Invite: posthorn members invite --help\nOr: posthorn api-keys create NAME --workspace 3\nTry: posthorn workspaces list";
  expect(asCalled(known, shop, {})).toBe(known);
  expect(asCalled("Try: posthorn plans list", { databaseUrl: "sqlite:a b.db" }, {})).toBe(
    "Try: posthorn --database-url 'sqlite:a b.db' plans list",
  );
  expect(asCalled("Try: posthorn plans list", { databaseUrl: "postgres://ada:secret@db/mail" }, {})).toBe(
    "Try: posthorn plans list",
  );
});

/** Verbs that read a file or call a receiver, and those that other nouns have for a workspace. */
const exceptions = ["inbound parse", "webhooks trigger", "webhooks verify", "plans assign", "plans unassign"];

test("the nouns whose commands act on a workspace are those whose verbs take it", async () => {
  for (const { name, load } of commands) {
    if (name === "completion") continue;
    const noun = new Command(name);
    (await load()).register(noun, () => async () => {});
    for (const verb of noun.commands.filter((one) => !exceptions.includes(`${name} ${one.name()}`)))
      expect(
        verb.options.some(({ long }) => long === "--workspace"),
        `${name} ${verb.name()}`,
      ).toBe(workspaceNouns.has(name));
  }
});
