import { spawnSync } from "node:child_process";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { describe, expect, test } from "vitest";
import { StorageUnavailable } from "../ports/storage.ts";
import { createMemoryMailer, createWorld } from "../testing/index.ts";
import { createPosthorn } from "./service.ts";

const openWorld = async () => createWorld(await createSqliteStorage({ filename: ":memory:" }));

/** Runs a script on the sources in its own process; returns its output. */
function run(script: string): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=posthorn-source", "--input-type=module", "--eval", script],
    { encoding: "utf8", cwd: import.meta.dirname, timeout: 60_000 },
  );
  return stdout === "" ? stderr : stdout;
}

describe("a service", () => {
  test("shares no state with another in the same process", async () => {
    const [one, other] = [await openWorld(), await openWorld()];
    const heard: string[] = [];
    one.posthorn.on("*", () => heard.push("one"));
    other.posthorn.on("*", () => heard.push("other"));
    one.posthorn.start();
    const { id: workspaceId } = await one.addWorkspace();
    const input = { subject: "Hi", text: "x", to: ["ada@example.com"] };
    await one.posthorn.emails.send(input, { workspaceId });
    await one.mailer.inbox.waitFor({ subject: "Hi" });
    await one.posthorn.stop();
    expect(new Set(heard)).toEqual(new Set(["one"]));
    expect(other.mailer.inbox.all()).toEqual([]);
    expect(other.posthorn.counters().emails.sent).toBe(0);
    expect(one.posthorn.counters().emails.sent).toBe(1);
    await expect(other.posthorn.emails.send(input, { workspaceId })).rejects.toMatchObject({
      code: "not_found",
    });
    await Promise.all([one.close(), other.close()]);
  });

  test("is unavailable, and so not ready, before its database was migrated", async () => {
    const storage = await createSqliteStorage({ filename: ":memory:" });
    const posthorn = createPosthorn({
      storage,
      mailer: createMemoryMailer(),
      secretKey: crypto.randomUUID(),
    });
    await expect(posthorn.ping()).rejects.toThrow(StorageUnavailable);
    await posthorn.migrate();
    await expect(posthorn.ping()).resolves.toBeUndefined();
    await posthorn.close();
    await storage.close();
  });

  test("can be closed repeatedly, started or not", async () => {
    const world = await openWorld();
    world.posthorn.start();
    world.posthorn.start();
    await Promise.all([world.posthorn.close(), world.posthorn.close()]);
    expect((await world.posthorn.queue.status({})).workers).toEqual([]);
    await world.close();
  });

  test("can be started again after a stop, and refuses to start once it is closed", async () => {
    const { posthorn, close } = await openWorld();
    for (let time = 0; time < 2; time += 1) {
      posthorn.start();
      await expect.poll(async () => (await posthorn.queue.status({})).workers).toHaveLength(1);
      await posthorn.stop();
    }
    const closing = posthorn.close();
    expect(posthorn.start).toThrow("the service was closed");
    await closing;
    expect(posthorn.start).toThrow("the service was closed");
    await close();
  });

  test("closes at the end of its scope, and leaves the storage open", async () => {
    const { posthorn, storage, close } = await openWorld();
    {
      await using scoped = posthorn;
      scoped.start();
      await expect.poll(async () => (await scoped.queue.status({})).workers).toHaveLength(1);
    }
    expect((await posthorn.queue.status({})).workers).toEqual([]);
    await storage.ping();
    await posthorn[Symbol.asyncDispose]();
    await close();
  });

  test("reports missing options of a call", async () => {
    const { posthorn, close } = await openWorld();
    // Called as by a host without types.
    const bare = (verb: unknown): Promise<unknown> =>
      Reflect.apply(verb as () => Promise<unknown>, undefined, [{}]);
    await expect(bare(posthorn.users.getMe)).rejects.toMatchObject({
      code: "unauthenticated",
      message: "This call needs a user: pass `as: await posthorn.findUser(id)`.",
    });
    for (const call of [() => bare(posthorn.templates.list), () => bare(posthorn.emails.list)])
      await expect(call()).rejects.toMatchObject({
        code: "workspace_required",
        message: "This call needs a workspace: pass `workspaceId`.",
      });
    await close();
  });

  test("does nothing at import or creation: no timer, no handle, no listener on the process, no environment", () => {
    const script = `
      const read = [];
      const ours = (line = "") => line.includes("/packages/core/src/") && !line.includes("[eval");
      process.env = new Proxy(process.env, {
        get(env, name) {
          if (ours(new Error().stack.split("\\n")[2])) read.push(String(name));
          return env[name];
        },
      });
      const before = process.eventNames().sort().join();
      const { createPosthorn } = await import(${JSON.stringify(new URL("../index.ts", import.meta.url).href)});
      const storage = { transaction() {}, within() {}, subscribe() { throw new Error("subscribed") } };
      const posthorn = createPosthorn({
        storage, mailer: { send() {}, concurrency: 1 }, secretKey: "a secret key that only tests use, 0123456789",
      });
      const handles = process.getActiveResourcesInfo().filter((name) => !/Pipe|TTY|FSReq/.test(name));
      const same = process.eventNames().sort().join() === before;
      process.stdout.write(JSON.stringify({ read, handles, same, made: typeof posthorn.emails.send }));
    `;
    expect(run(script)).toBe(JSON.stringify({ read: [], handles: [], same: true, made: "function" }));
  });
});
