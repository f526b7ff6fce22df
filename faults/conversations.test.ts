import { setTimeout as delay } from "node:timers/promises";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { expect, test } from "vitest";
import { sampleMessage } from "../packages/mailer-smtp/test/sample-message.ts";
import { startScriptedServer } from "../packages/mailer-smtp/test/start-scripted-server.ts";
import { createCuttingProxy } from "./create-cutting-proxy.ts";
import { openFaultWorld } from "./open-fault-world.ts";

/** `FAULTS_CUTS=20`: repetitions for each byte, because timing varies between runs. */
const rounds = Number(process.env["FAULTS_CUTS"] ?? 3);
/** `FAULTS_SERVER_KILLS=60` for an hour. */
const kills = Number(process.env["FAULTS_SERVER_KILLS"] ?? 8);

const message = () =>
  sampleMessage({ envelope: { from: "shop@example.com", to: ["ada@example.net", "bob@example.net"] } });

/** Measures how many bytes are sent in each direction without a cut. */
async function measure(): Promise<{ there: number; back: number }> {
  const server = await startScriptedServer();
  const proxy = await createCuttingProxy(server.port);
  const mailer = createSmtpMailer({ url: proxy.url });
  await mailer.send(message());
  const { there, back } = proxy.passed();
  await mailer.close();
  await proxy.close();
  await server.close();
  return { there, back };
}

test.for(["there", "back"] as const)(
  "an SMTP conversation cut at every byte, direction %s, is classified correctly",
  { timeout: 600_000 },
  async (way, { task }) => {
    const total = (await measure())[way];
    const server = await startScriptedServer();
    const wrong: string[] = [];
    const told = { accepted: 0, "in doubt": 0, open: 0 };
    const places = Array.from({ length: rounds * (total + 1) }, (_, index) => index % (total + 1));
    for (const at of places) {
      const proxy = await createCuttingProxy(server.port, { way, at });
      const mailer = createSmtpMailer({ url: proxy.url, timeouts: { greeting: 5_000, command: 5_000 } });
      const before = server.contents.length;
      const { recipients, inDoubt } = await mailer.send(message());
      const copies = server.contents.length - before;
      const outcomes = new Set(recipients.map(({ outcome }) => outcome));
      const isAccepted = outcomes.has("accepted");
      // A recipient that counts as delivered has the mail once; if it may have arrived, the attempt is in doubt;
      // otherwise there is no mail.
      const isRight = isAccepted
        ? copies === 1 && outcomes.size === 1 && !inDoubt
        : !outcomes.has("refused") && (inDoubt ? copies <= 1 : copies === 0);
      if (!isRight)
        wrong.push(`${at}: ${[...outcomes].join()} ${inDoubt ? "in doubt" : ""}, ${copies} there`);
      told[isAccepted ? "accepted" : inDoubt ? "in doubt" : "open"] += 1;
      await mailer.close();
      await proxy.close();
    }
    await server.close();
    expect(wrong).toEqual([]);
    expect(told["in doubt"]).toBeGreaterThan(0);
    task.meta.figures = `${Object.entries(told)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ")}; none told wrongly`;
  },
);

test("mail servers killed in the middle of e-mails", { timeout: 60_000 * (kills + 2) }, async ({ task }) => {
  const world = await openFaultWorld();
  const served = await world.serve();
  for (let round = 0; round < kills; round += 1) {
    const sending = Promise.all(Array.from({ length: 50 }, served.send));
    await delay(20 + Math.random() * 150);
    world.cutMail();
    await delay(20 + Math.random() * 150);
    world.cutMail();
    expect(await sending).toEqual(Array(50).fill(202));
  }
  // An attempt in doubt is retried after a minute.
  const { lost, ghosts, twice } = await world.settled(180_000);
  expect({ lost, ghosts }).toEqual({ lost: [], ghosts: [] });
  for (const [id, copies] of world.copies) {
    if (copies === 1) continue;
    const attempts = await world.storage.emails.attempts(id);
    expect(attempts.filter(({ inDoubt }) => inDoubt).length).toBeGreaterThanOrEqual(copies - 1);
  }
  await served.stop();
  task.meta.figures = `${world.accepted.size} mails over ${2 * kills} killed servers: 0 lost, ${twice} twice, each in doubt`;
});
