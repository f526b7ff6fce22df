import { beforeEach } from "vitest";
import type { World } from "../src/testing/index.ts";
import { host, openWorldForEach, workspace, world } from "./world-for-each.ts";

export type Input = Parameters<World["posthorn"]["emails"]["sendBatch"]>[0];
export const batch = (input: Input) => world.posthorn.emails.sendBatch(input, host());
export const tryBatch = (input: Input) => world.posthorn.emails.dryRunSendBatch(input, host());
export const literal = { subject: "Hi", text: "Hello" };
export const people = (...names: string[]) => names.map((name) => ({ to: `${name}@example.com` }));

export const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ to: `p${index}@example.com` }));

export const list = async (batchId?: string) =>
  (await world.posthorn.emails.list({ size: 100, ...(batchId === undefined ? {} : { batchId }) }, host()))
    .items;

export const used = async () => {
  const { quota } = await tryBatch({ ...literal, recipients: people("probe") });
  return quota.hour.used;
};

export const suppress = (email: string) => world.posthorn.suppressions.create({ email }, workspace.asOwner);

/** Opens a world whose workspace has a template `offer` before each test of a file, and closes it after. */
export function openBatchWorldForEach(): void {
  openWorldForEach();
  beforeEach(async () => {
    const { posthorn } = world;
    await posthorn.templates.create(
      { name: "offer", subject: "For {{name}}", text: "{{name}}: {{price}} {{shop}}" },
      workspace.asOwner,
    );
  });
}
