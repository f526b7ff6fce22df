import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startSmtpSink } from "../packages/cli/src/commands/demo/smtp-sink.ts";
import { loadConfig } from "../packages/cli/src/program/config.ts";
import { openService } from "../packages/cli/src/service/open-service.ts";
import { makeFolder, type RunningCommand, startCommand } from "../packages/cli/test/run-command.ts";
import { makeSender } from "../packages/cli/test/send-through-ends.ts";
import { ownTestServer } from "../packages/storage-postgres/test/open-test-storage.ts";

/** `FAULTS_CAMPAIGN=100000 FAULTS_CAMPAIGN_KILLS=100` for a night. */
const recipients = Number(process.env["FAULTS_CAMPAIGN"] ?? 5_000);
const kills = Number(process.env["FAULTS_CAMPAIGN_KILLS"] ?? 10);
const secretKey = "only for the tests, 0123456789abcdef";
const concurrency = 8;

test.for(["SQLite", "PostgreSQL"])(
  "a campaign through kills: %s",
  { timeout: 120_000 + 30_000 * kills + 20 * recipients },
  async (engine, { task }) => {
    const cwd = makeFolder();
    const databaseUrl =
      engine === "SQLite" ? `sqlite:${join(cwd, "posthorn.db")}` : (await ownTestServer()).connectionString;
    const { values } = loadConfig({ databaseUrl }, { SERVICE_SECRET_KEY: secretKey }, {});
    const service = await openService(values, { database: "make" });
    onTestFinished(() => service.close());
    const { workspaceId } = await makeSender(service.posthorn);
    const { campaigns } = service.posthorn.workspace(workspaceId);
    const { id: campaignId } = await campaigns.create({
      name: "Spring",
      from: "shop@example.com",
      subject: "{{n}}",
      text: "x",
    });
    for (let at = 0; at < recipients; at += 1_000) {
      const piece = Array.from({ length: Math.min(1_000, recipients - at) }, (_, index) => ({
        to: `person${at + index}@example.com`,
        templateData: { n: String(at + index) },
      }));
      await campaigns.addRecipients({ campaignId, recipients: piece });
    }
    await campaigns.start({ campaignId });

    const seen = new Map<string, number>();
    const sink = await startSmtpSink({
      onMail: ({ to }) => {
        for (const address of to) seen.set(address, (seen.get(address) ?? 0) + 1);
      },
    });
    onTestFinished(() => sink.close());
    const env = {
      SERVICE_SECRET_KEY: secretKey,
      SERVICE_DATABASE_URL: databaseUrl,
      SERVICE_SMTP_URL: `${sink.url}?connections=${concurrency}`,
      SERVICE_WORKER_CONCURRENCY: String(concurrency),
      SERVICE_WORKER_LEASE_SECS: "1",
      SERVICE_LOG_LEVEL: "error",
    };
    let server: RunningCommand | undefined;
    onTestFinished(() => void server?.child.kill("SIGKILL"));
    const start = async (): Promise<RunningCommand> => {
      server = startCommand(["serve", "--port", "0"], { cwd, env });
      await server.waitForStderr(/Listening on (\S+)/);
      return server;
    };
    const status = async () => (await campaigns.get({ campaignId })).status;
    let killed = 0;
    for (; killed < kills && (await status()) === "running"; killed += 1) {
      const running = await start();
      await wait(50 + Math.random() * 1_500);
      running.child.kill("SIGKILL");
      await running.ended;
    }
    const last = await start();
    await expect.poll(status, { timeout: 60_000 + 20 * recipients, interval: 200 }).toBe("completed");
    last.child.kill("SIGTERM");
    await last.ended;

    const { counts } = await campaigns.get({ campaignId });
    expect(counts).toMatchObject({ pending: 0, queued: recipients, sent: recipients, skipped: 0 });
    expect(seen.size).toBe(recipients);
    const twice = [...seen.values()].filter((times) => times > 1).length;
    // At most what was in hand when a process was killed, which its attempts tell of as interrupted.
    expect(twice).toBeLessThanOrEqual(killed * concurrency);
    const completed = await service.storage.events.list(
      { type: "campaign.completed", workspaceId },
      { offset: 0, limit: 10 },
    );
    expect(completed.total).toBe(1);
    task.meta.figures = `${recipients} recipients, ${killed} kills: 0 lost, 0 skipped, ${twice} twice, completed once`;
  },
);
