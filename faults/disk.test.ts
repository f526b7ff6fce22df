import { execFileSync, spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, runCommand } from "../packages/cli/test/run-command.ts";
import { needProgram, needRoot } from "./needs.ts";
import { openFaultWorld, type Served, times } from "./open-fault-world.ts";

/** `FAULTS_STEPS=200` kills at each of the first 200 syncs. */
const steps = Number(process.env["FAULTS_STEPS"] ?? 6);

/** Attaches strace to a running service; resolves once it is attached. */
async function trace(served: Served, ...options: string[]): Promise<void> {
  const strace = spawn("strace", ["-f", "-p", String(served.child.pid), ...options], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void strace.kill("SIGKILL"));
  // Not `for await`, whose end would close the pipe to which strace still writes.
  await new Promise<void>((resolve, reject) => {
    strace.stderr.on("data", (text) => String(text).includes("attached") && resolve());
    strace.once("exit", () => reject(new Error("strace got no hold of the process")));
  });
}

test("a disk that fails to sync: nothing more is accepted, and the process exits", async (context) => {
  needProgram(context, "strace");
  const world = await openFaultWorld();
  const served = await world.serve();
  expect(await times(5, served.send)).toEqual(Array(5).fill(202));
  await trace(
    served,
    "-o",
    "/dev/null",
    "-e",
    "trace=fsync,fdatasync",
    "-e",
    "inject=fsync,fdatasync:error=EIO",
  );
  const answers = await times(5, served.send);
  expect(answers).not.toContain(202);
  expect((await served.ended).code).toBe(1);
  const again = await world.serve();
  expect(await again.send()).toBe(202);
  const { lost } = await world.settled();
  expect(lost).toEqual([]);
  await again.stop();
  context.task.meta.figures = `answers after the fault: ${answers.join(", ")}; exit 1; 0 lost`;
});

test("a process killed at each disk sync loses nothing that it answered", {
  timeout: 30_000 * (steps + 2),
}, async (context) => {
  needProgram(context, "strace");
  const world = await openFaultWorld();
  for (let step = 1; step <= steps; step += 1) {
    const served = await world.serve();
    const inject = `inject=fsync,fdatasync:signal=SIGKILL:when=${step}`;
    await trace(served, "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", inject);
    let isAlive = true;
    void served.ended.then(() => {
      isAlive = false;
    });
    while (isAlive) await Promise.all([served.send(), served.send()]);
  }
  const last = await world.serve();
  const { lost, twice } = await world.settled();
  expect(lost).toEqual([]);
  await last.stop();
  context.task.meta.figures = `${steps} kills, ${world.accepted.size} accepted: 0 lost, ${twice} twice`;
});

test("an answer is sent only after its commit is synced to disk", async (context) => {
  needProgram(context, "strace");
  const world = await openFaultWorld();
  const served = await world.serve({ env: { SERVICE_LOG_LEVEL: "silent" } });
  const file = join(makeFolder(), "trace");
  await trace(served, "-s", "16", "-o", file, "-e", "trace=fsync,fdatasync,write,writev");
  expect(await times(100, served.send)).toEqual(Array(100).fill(202));
  await world.settled();
  await served.stop();
  let isSynced = false;
  let answers = 0;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (/f(?:data)?sync/.test(line) && / = 0$/.test(line)) isSynced = true;
    if (!line.includes("HTTP/1.1 202")) continue;
    expect(isSynced, `a sync before answer ${answers + 1}`).toBe(true);
    isSynced = false;
    answers += 1;
  }
  expect(answers).toBe(100);
  context.task.meta.figures = `${answers} of ${answers} answers after a sync`;
});

test("a full disk: sending is refused, reads continue, and sending resumes once there is space", async (context) => {
  needRoot(context, "a disk of 24 MB");
  const folder = makeFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", folder]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  const world = await openFaultWorld({ folder });
  const served = await world.serve();
  expect(await times(5, served.send)).toEqual(Array(5).fill(202));
  const ballast = join(folder, "ballast");
  const fill = (): void => {
    try {
      writeFileSync(ballast, Buffer.alloc(24 << 20), { flag: "a" });
    } catch {
      // Writes until the disk is full, as intended.
    }
  };
  fill();
  const full: number[] = [];
  // The database's reserved space is used up first.
  for (let at = 0; at < 2_000 && full.filter((status) => status === 503).length < 5; at += 1)
    full.push(await served.send());
  const read = await fetch(`${served.url}/api/v1/emails`, {
    headers: { authorization: `Bearer ${world.apiKey}` },
  });
  rmSync(ballast);
  await expect.poll(served.send, { timeout: 30_000 }).toBe(202);
  const { lost } = await world.settled();
  expect({ statuses: [...new Set(full)].sort(), read: read.status < 500, lost }).toEqual({
    statuses: expect.arrayContaining([503]),
    read: true,
    lost: [],
  });
  expect([...new Set(full)].filter((status) => status !== 202 && status !== 503)).toEqual([]);
  await served.stop();
  context.task.meta.figures = `${full.length} tries while full; 0 lost`;
});

test("a read-only disk: the start fails with one line that says so", async (context) => {
  needRoot(context, "a disk of one's own");
  const folder = makeFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", "ro,size=1m", "tmpfs", folder]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  const database = join(folder, "posthorn.db");
  const env = { SERVICE_DATABASE_URL: `sqlite:${database}`, SERVICE_SMTP_URL: "capture:" };
  const { code, stderr } = await runCommand(["serve", "--port", "0"], { cwd: folder, env });
  expect({ code, stderr: stderr.split("\n")[0] }).toEqual({
    code: 4,
    stderr: `error: The database ${database} is unavailable: its file system is read-only.`,
  });
});
