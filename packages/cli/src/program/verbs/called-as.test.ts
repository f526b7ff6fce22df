import { expect, test } from "vitest";
import { asCalled, calledAs } from "./called-as.ts";

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
  const known = "See the profile's server: posthorn profiles. Start it: posthorn dev";
  expect(asCalled(known, { profile: "prod" }, {})).toBe(known);
  expect(asCalled("posthorn --dev emails list", { dev: true }, {})).toBe("posthorn --dev emails list");
});
