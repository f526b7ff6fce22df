import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { needProgram } from "./needs.ts";
import { openFaultWorld, times } from "./open-fault-world.ts";

test("64 descriptors and 200 connections: requests are answered, or told to retry", async (context) => {
  needProgram(context, "prlimit");
  const world = await openFaultWorld();
  const served = await world.serve({ under: ["prlimit", "--nofile=64:64"] });
  const { port, hostname } = new URL(served.url);
  const idle = Array.from({ length: 200 }, () => connect(Number(port), hostname).on("error", () => {}));
  onTestFinished(() => {
    for (const socket of idle) socket.destroy();
  });
  const crowded = await times(10, served.send);
  for (const socket of idle) socket.destroy();
  await expect.poll(served.send, { timeout: 15_000 }).toBe(202);
  expect(crowded.filter((status) => status !== 0 && status !== 202 && status !== 503)).toEqual([]);
  const { lost, ghosts } = await world.settled();
  expect(lost).toEqual([]);
  const attempts = await Promise.all([...world.accepted].map((id) => world.storage.emails.attempts(id)));
  // A lack of resources in the process costs no mail an attempt.
  expect(attempts.flat().filter(({ outcome }) => outcome !== "sent")).toEqual([]);
  await served.stop();
  context.task.meta.figures = `meanwhile ${crowded.join(", ")}; 0 lost, ${ghosts.length} in doubt`;
});

test("128 MB of heap: oversized requests are refused, and the process stays up", async ({ task }) => {
  const world = await openFaultWorld();
  const served = await world.serve({ env: { NODE_OPTIONS: "--max-old-space-size=128" } });
  const post = async (bytes: number): Promise<number> => {
    const text = "x".repeat(bytes);
    const body = JSON.stringify({
      from: "shop@example.com",
      to: ["ada@example.com"],
      subject: "Large",
      text,
    });
    const headers = { authorization: `Bearer ${world.apiKey}`, "content-type": "application/json" };
    const answer = await fetch(`${served.url}/api/v1/emails/send`, { method: "POST", headers, body }).catch(
      () => undefined,
    );
    if (answer === undefined) return 0;
    if (answer.status !== 202) {
      // The response to a request whose body was not read may be cut off.
      await answer.body?.cancel();
      return answer.status;
    }
    const { data } = (await answer.json()) as { data: { id: string } };
    world.accepted.add(data.id);
    return answer.status;
  };
  const huge = await Promise.all(Array.from({ length: 8 }, () => post(50 << 20)));
  const large = await Promise.all(Array.from({ length: 200 }, () => post(400 << 10)));
  expect(served.child.exitCode ?? served.child.signalCode).toBeNull();
  expect(huge.filter((status) => ![0, 413, 503].includes(status))).toEqual([]);
  expect(large.filter((status) => ![202, 503].includes(status))).toEqual([]);
  expect(await served.send()).toBe(202);
  const { lost } = await world.settled();
  expect(lost).toEqual([]);
  await served.stop();
  const counts = [...Map.groupBy([...huge, ...large], String)].map(
    ([status, all]) => `${all.length} × ${status}`,
  );
  task.meta.figures = `${counts.join(", ")}; 0 lost`;
});
