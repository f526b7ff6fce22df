import { afterAll, beforeAll, expect } from "vitest";
import type { Engine } from "./engines.ts";
import { type House, openHouse } from "./harness.ts";
import type { Answer } from "./start-server.ts";

export const templates = "/workspaces/current/templates";
export let house: House;
export let count = 0;

export const editor = (signature: string, body?: unknown): Promise<Answer> =>
  house.call(signature, { as: house.editor, ...(body === undefined ? {} : { body }) });

export const create = (more: object = {}) =>
  editor(`POST ${templates}`, { name: `template ${++count}`, html: "<p>Hello {{name}}</p>", ...more });

/** Ids of a new template and of its first version. */
export const made = async (more: object = {}) => {
  const { status, body } = await create(more);
  expect(status).toBe(201);
  return { id: String(body.data?.["id"]), first: String(body.data?.["active_version_id"]) };
};

/** A house for the tests of an engine. */
export function openTemplateHouse(open: Engine["open"]): void {
  beforeAll(async () => {
    house = await openHouse(open);
  });
  afterAll(() => house.close());
}
