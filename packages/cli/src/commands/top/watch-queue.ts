import { setTimeout as sleep } from "node:timers/promises";
import type { Api } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { placeOf } from "../../service/database/open-storage.ts";
import { noWorkerAdvice } from "../../service/no-worker.ts";
import { canRewrite } from "../../terminal/can-rewrite.ts";
import { openScreen } from "../../terminal/screen.ts";
import { type QueueFrame, queueFrame } from "./queue-frame.ts";
import { type Look, ratesOf } from "./rates.ts";

interface TopOptions {
  /** Seconds between updates. */
  interval: number;
  once?: boolean;
}

/** Number of readings from which rates are computed. */
const kept = 5;

/** Shows the queue's status until `q` or Ctrl-C; without a terminal that can be rewritten, once. */
export async function watchQueue(context: CommandContext, { interval, once }: TopOptions): Promise<void> {
  const api = await context.api();
  const looks = [await look(api, context.signal)];
  const place = api.kind === "server" ? "The server" : placeOf(context.config().values.database_url);
  const advice = context.output.advice(noWorkerAdvice);
  const frame = (trouble?: string): QueueFrame | undefined => {
    const last = looks.at(-1);
    return last && { queue: last.queue, rates: ratesOf(looks), now: Date.now(), place, advice, trouble };
  };
  if (once === true || !canRewrite(process.stdout) || context.output.jsonAsked)
    return await showOnce(context, { api, looks, interval, frame });
  const screen = openScreen((size) => queueFrame(frame(trouble) as QueueFrame, size));
  let trouble: string | undefined;
  const ending = AbortSignal.any([context.signal, screen.left]);
  try {
    while (!ending.aborted) {
      screen.draw();
      await sleep(interval * 1_000, undefined, { signal: ending }).catch(() => {});
      if (ending.aborted) break;
      try {
        looks.push(await look(api, ending));
        if (looks.length > kept) looks.shift();
        trouble = undefined;
      } catch (error) {
        // A watcher wants to see when the server comes back.
        trouble = `No answer: ${(error as Error).message}`;
      }
    }
  } finally {
    screen.close();
  }
}

async function look(api: Api, signal: AbortSignal): Promise<Look> {
  const queue = await api.request("GET /admin/queue", {}, { signal });
  return { at: performance.now(), queue };
}

interface Watched {
  api: Api;
  looks: Look[];
  interval: number;
  frame(): QueueFrame | undefined;
}

async function showOnce(context: CommandContext, { api, looks, interval, frame }: Watched): Promise<void> {
  await sleep(interval * 1_000, undefined, { signal: context.signal });
  looks.push(await look(api, context.signal));
  const shown = frame();
  if (shown === undefined) return;
  if (context.output.jsonAsked) return context.output.record({}, { ...shown.queue, rates: shown.rates });
  const columns = process.stdout.columns || 100;
  context.output.data(queueFrame(shown, { columns, rows: 1_000 }).join("\n").trimEnd());
}
