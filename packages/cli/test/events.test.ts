import { once } from "node:events";
import { expect, test } from "vitest";
import { addShop, type CommandWorld, openCommandWorld } from "./command-world.ts";
import { type RunningCommand, startCommand } from "./run-command.ts";

interface Line {
  id: number;
  type: string;
  workspace_id: number | null;
  message: string;
}

const linesOf = (text: string): Line[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** Waits until that many lines have arrived, or the command ends. */
async function readLines({ child, ended }: RunningCommand, count: number): Promise<Line[]> {
  let text = "";
  let over = false;
  void ended.then(() => {
    over = true;
  });
  child.stdout?.on("data", (chunk: string) => {
    text += chunk;
  });
  while (text.split("\n").length <= count && !over) {
    await Promise.race([once(child.stdout ?? child, "data"), ended]);
  }
  return linesOf(text);
}

const addPlan = ({ posthorn }: CommandWorld, name: string) => posthorn.plans.create({ name });

test("tails events as CSV, with the names of the fields first", async () => {
  const world = await openCommandWorld();
  for (const name of ["Free", "Pro"]) await addPlan(world, name);
  const { stdout } = await world.run("events", "tail", "--format", "csv");
  const lines = stdout.split("\r\n");
  expect(lines[0]).toMatch(/^id,category,type,workspace_id,/);
  expect(lines.slice(1).map((line) => line.split(",").slice(0, 3).join(","))).toEqual([
    "1,audit,plan.created",
    "2,audit,plan.created",
    "",
  ]);
});

test("lists and tails events by filter, and resumes a tail after an id", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const plan = await addPlan(world, "Pro");
  await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id });
  const [listed, all, inShop, byType, byCategory, later, longAgo, bad] = await Promise.all([
    world.json<Line[]>("events", "--size", "2"),
    world.run("events", "tail"),
    world.run("events", "tail", "--workspace", "Shop"),
    world.run("events", "tail", "--type", "plan.created", "--since-id", "0"),
    world.run("events", "tail", "--category", "email"),
    world.run("events", "tail", "--since-id", "2"),
    world.run("events", "tail", "--since", "1h", "-n", "1"),
    world.run("events", "tail", "--since", "yesterday"),
  ]);
  const types = (text: string): string[] => linesOf(text).map(({ type }) => type);
  const order = ["user.created", "workspace.created", "plan.created", "workspace.plan_assigned"];
  expect(listed.map(({ type }) => type)).toEqual(order.slice(2).reverse());
  expect(types(all.stdout)).toEqual(order);
  expect(types(inShop.stdout)).toEqual(["workspace.created", "workspace.plan_assigned"]);
  expect(types(byType.stdout)).toEqual(["plan.created"]);
  expect(byCategory).toMatchObject({ code: 0, stdout: "" });
  expect(types(later.stdout)).toEqual(order.slice(2));
  expect(types(longAgo.stdout)).toEqual(order);
  expect(bad.code).toBe(2);
});

test("a table of events names the e-mail that an event is about", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const mail = { from: "shop@shop.example", to: ["ada@example.com"], subject: "Hi", text: "Hi" };
  const { id } = await world.posthorn.emails.send(mail, { workspaceId: workspace.id });
  const { stdout } = await world.run("events", "--format", "table");
  expect(stdout).toMatch(/TYPE +WORKSPACE +MESSAGE +E-MAIL\n/);
  expect(stdout).toMatch(new RegExp(`email\\.queued .* an e-mail +${id}\n`));
  expect(stdout).toMatch(/user\.created .* –\n/);
});

test("a followed tail shows events of another process, and ends on Ctrl-C", async () => {
  const world = await openCommandWorld();
  await addPlan(world, "Before");
  const tail = world.start("events", "tail", "--follow", "--category", "audit", "-n", "1");
  const first = await readLines(tail, 1);
  expect(first).toMatchObject([{ type: "plan.created", message: expect.stringContaining("Before") }]);

  const next = readLines(tail, 2);
  await addPlan(world, "After");
  await world.posthorn.users.create({ name: "X", email: "x@example.com", password: "correct horse battery" });
  expect((await next).map(({ type }) => type)).toEqual(["plan.created", "user.created"]);
  tail.child.kill("SIGINT");
  expect(await tail.ended).toMatchObject({ code: 130, stderr: "" });
});

test.runIf(process.platform === "linux")(
  "a tail and a listener end when nobody reads their pipe any more, whether or not anything happens",
  async () => {
    const world = await openCommandWorld();
    await addShop(world);
    const [env, cwd] = [{ SERVICE_SMTP_URL: "capture:" }, world.cwd];
    const intoPipe = (reader: string, ...args: string[]) =>
      startCommand(args, {
        cwd,
        env,
        under: ["sh", "-c", `{ "$@"; echo "code $?" >&2; } | ${reader}`, "sh"],
      });
    const tail = intoPipe("head -n 1", "events", "tail", "--follow");
    const listener = intoPipe("true", "webhooks", "listen", "--forward-to", "http://127.0.0.1:9/");
    expect((await tail.ended).stderr).toBe("code 0\n");
    expect(linesOf((await tail.ended).stdout)).toMatchObject([{ type: "user.created" }]);
    expect((await listener.ended).stderr).toMatch(/code 0\n$/);
  },
);

test.runIf(process.platform === "linux")(
  "a tail into a socket exits with success when its reader goes away, even if nothing happens any more",
  async () => {
    const world = await openCommandWorld();
    await addPlan(world, "Before");
    const tail = world.start("events", "tail", "--follow");
    await readLines(tail, 1);
    tail.child.stdout?.destroy();
    expect(await tail.ended).toMatchObject({ code: 0, stderr: "" });
  },
);
