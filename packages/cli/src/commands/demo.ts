import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandContext } from "../program/connection/command-context.ts";
import { endingSignals } from "../program/ending-signals.ts";
import { CliError } from "../program/errors/cli-error.ts";
import type { Register } from "../program/verbs/register.ts";
import type { Stage } from "./demo/scenario.ts";
import type { ReceivedMail } from "./demo/smtp-sink.ts";
import type { Story } from "./demo/story.ts";
import type { ReceivedWebhook } from "./demo/webhook-receiver.ts";

export const register: Register = (command, act) => {
  command
    .addHelpText(
      "after",
      `
Starts a server on a fresh SQLite file, a mail server and a webhook receiver, all on this machine; registers a user, makes a
workspace, a stylesheet, a template, a key and a webhook, sends, and shows what arrived. Exits with 0 and leaves nothing behind,
or exits with 1 and names the step that failed.

Examples:
  posthorn demo
  posthorn demo --json | jq .mail.subject`,
    )
    .action(act(demo));
};

async function demo({ output, signal }: CommandContext): Promise<void> {
  const [{ createStory }, { playScenario }] = await Promise.all([
    import("./demo/story.ts"),
    import("./demo/scenario.ts"),
  ]);
  const started = performance.now();
  const story = createStory(output.jsonAsked ? () => {} : output.data, process.stdout.columns);
  const interrupted = interruption(signal);
  const stage = await story.step("Start a server, a mail server and a webhook receiver on this machine", () =>
    setStage(story),
  );
  try {
    const outcome = await Promise.race([playScenario(stage), interrupted]);
    const seconds = Number(((performance.now() - started) / 1_000).toFixed(2));
    if (output.jsonAsked) output.record({}, { ok: true, seconds, steps: story.steps, ...outcome });
    else output.data(`\nDone in ${seconds} s; everything is removed again.\nNext: npx posthorn dev`);
  } finally {
    await stage.strike();
  }
}

/** Rejects when the demo is to end. */
function interruption(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // Nobody awaits the promise while the servers start.
  promise.catch(() => {});
  const end = (): void => reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  // Cleans up after other signals, too: that of a terminal that closes is SIGHUP.
  for (const name of endingSignals)
    process.once(name, () => reject(new CliError("interrupted", "The demonstration was interrupted.")));
  return promise;
}

/** Starts the three servers on loopback; `strike` ends them and removes the database. */
async function setStage(story: Story): Promise<Stage & { strike(): Promise<void> }> {
  const [smtp, receiver, { createArrivals }, { createApiClient }] = await Promise.all([
    import("./demo/smtp-sink.ts"),
    import("./demo/webhook-receiver.ts"),
    import("./demo/create-arrivals.ts"),
    import("./demo/api-client.ts"),
  ]);
  const undo: (() => unknown)[] = [];
  const strike = async (): Promise<void> => {
    for (const one of undo.splice(0).reverse()) await one();
  };
  try {
    const directory = mkdtempSync(join(tmpdir(), "posthorn-demo-"));
    undo.push(() => rmSync(directory, { recursive: true, force: true }));
    const mails = createArrivals<ReceivedMail>();
    const sink = await smtp.startSmtpSink({ onMail: mails.add });
    undo.push(sink.close);
    const webhooks = createArrivals<ReceivedWebhook>();
    const { url: webhookUrl, close } = await receiver.startWebhookReceiver(webhooks.add);
    undo.push(close);
    const { url, trust, stop } = await startServer(join(directory, "demo.db"), sink.url);
    undo.push(stop);
    story.tell(`${url}, ${sink.url}, ${webhookUrl}`);
    story.tell(`a new SQLite file in ${directory}`);
    const api = createApiClient(url, story.called);
    return { story, api, trust, mails, webhooks, webhookUrl, strike };
  } catch (error) {
    await strike();
    throw error;
  }
}

/** Starts the server as `posthorn serve` does, with fixed settings: it reads no environment variables. */
async function startServer(
  filename: string,
  smtpUrl: string,
): Promise<{ url: string; trust: Stage["trust"]; stop(): Promise<void> }> {
  const [{ openService }, { createPosthornServer }, { holdFreePort }, { loadConfig }] = await Promise.all([
    import("../service/open-service.ts"),
    import("@posthorn/http"),
    import("../service/server/hold-free-port.ts"),
    import("../program/settings/config.ts"),
  ]);
  const { port, release } = await holdFreePort("127.0.0.1");
  const { values } = loadConfig({}, {}, {});
  const service = await openService(
    {
      ...values,
      database_url: `sqlite:${filename}`,
      smtp_url: smtpUrl,
      default_sender: "Posthorn <no-reply@posthorn.example>",
      webhook_allow_private: true,
      registration: "open",
    },
    { database: "make", mail: "deliver", baseUrl: `http://127.0.0.1:${port}` },
  );
  const server = createPosthornServer(service.posthorn);
  await release();
  const { url } = await server.listen(port, "127.0.0.1");
  service.posthorn.start();
  return {
    url,
    trust: async (workspaceId) => void (await service.posthorn.workspaces.trust({ workspaceId })),
    async stop() {
      await Promise.all([server.stop(), service.posthorn.stop()]);
      await service.close();
    },
  };
}
