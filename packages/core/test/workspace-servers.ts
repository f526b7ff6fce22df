import { beforeEach } from "vitest";
import type { MailHold, MailMessage, MailResult } from "../src/ports/mailer.ts";
import { acceptAll, answerAll } from "../src/testing/index.ts";
import { openWorldForEach, workspace, world } from "./world-for-each.ts";

export type Answer = (message: MailMessage) => MailResult;

/** The response of each server, by name; servers without one accept mail. `platform` is the operator's. */
export let answers: Record<string, Answer>;

/** The servers that were tried and the mails, in order. */
export const asked: string[] = [];

export const names = new Map<string, string>();

export async function add(name: string, over: object = {}) {
  const server = await world.posthorn.smtpServers.create(
    { name, host: `${name}.example`, fromDomains: ["shop.example"], ...over },
    workspace.asOwner,
  );
  names.set(server.id, name);
  return server;
}

export const send = (subject: string, over: object = {}) =>
  world.posthorn.emails.send(
    { subject, text: "x", from: "a@shop.example", to: ["ada@example.com"], ...over },
    { workspaceId: workspace.id },
  );

export const get = (emailId: string) => world.posthorn.emails.get({ emailId }, { workspaceId: workspace.id });
export const show = (smtpServerId: string) =>
  world.posthorn.smtpServers.get({ smtpServerId }, workspace.asOwner);

export const parked = async () =>
  (await world.storage.emailQueue.parked(world.clock.now())).map(({ route, reason }) => ({ route, reason }));

export const rows = async (...servers: { id: string }[]) => {
  const all = await world.storage.smtpServers.list(workspace.id);
  return servers.map(({ id }) => all.find((one) => one.id === id)?.row ?? 0);
};

export const held =
  (cause: MailHold["cause"], retryAfterMs = 1000): Answer =>
  (message) => ({
    ...answerAll("deferred", 421, "later")(message),
    held: { cause, reason: `${cause} for a reason`, retryAfterMs },
  });

export const dead = held("unreachable");

/** Makes a server fail with its own mail until it counts as down. */
export async function bringDown(name: string, send: () => Promise<unknown>): Promise<void> {
  answers[name] = dead;
  await send();
  for (let fault = 0; fault < 3; fault += 1) {
    await world.posthorn.drain();
    world.clock.advance(1000);
  }
}

/** Opens a world with a workspace before each test of a file, and closes it after. */
export function openServersForEach(): void {
  openWorldForEach();
  beforeEach(async () => {
    answers = {};
    asked.length = 0;
    names.clear();
    world.mailer.answerWith((message) => {
      const name = message.server === undefined ? "platform" : (names.get(message.server.id) ?? "?");
      asked.push(`${name} ${message.subject}`);
      return (answers[name] ?? acceptAll)(message);
    });
  });
}
