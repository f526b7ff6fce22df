import { afterAll, beforeAll, expect } from "vitest";
import type { Engine } from "./engines.ts";
import { type House, openHouse } from "./harness.ts";
import type { Answer } from "./start-server.ts";

export let house: House;
export let key: string;
export let count = 0;
export const template_data = { name: "Ada", amount: 5 };

export const send = (more: object = {}, options: { as?: string; headers?: Record<string, string> } = {}) =>
  house.call("POST /emails/send-template", {
    as: key,
    body: { template: "receipt", to: ["ada@example.com"], template_data, ...more },
    ...options,
  });

export const plain = (more: object = {}, as = key) =>
  house.call("POST /emails/send", {
    as,
    body: { subject: "S", text: "T", to: ["ada@example.com"], ...more },
  });

export const idOf = ({ body }: Answer) => String(body.data?.["id"]);

/** A workspace with a plan of its own, and its key. */
export async function withPlan(limits: object): Promise<{ as: string; workspace: number }> {
  const workspace = await house.makeWorkspace(house.owner, `Planned ${++count}`);
  const plan = await house.call("POST /admin/plans", {
    as: house.administrator,
    body: { name: `plan ${count}`, ...limits },
  });
  const assigned = await house.call(`POST /admin/workspaces/${workspace}/plan`, {
    as: house.administrator,
    body: { plan_id: plan.body.data?.["id"] },
  });
  expect(assigned.status).toBe(200);
  return { as: await house.makeKey({ workspace }), workspace };
}

/** A house with a key and the template `receipt`, for the tests of an engine. */
export function openSendingHouse(open: Engine["open"]): void {
  beforeAll(async () => {
    house = await openHouse(open);
    key = await house.makeKey();
    const body = {
      name: "receipt",
      html: "<p>{{name}} owes {{amount}}</p>",
      text: "{{name}} owes {{amount}}",
      sample_data: { name: "Sample", amount: 1 },
      subject: "For {{name}}",
    };
    await house.call("POST /workspaces/current/templates", { as: house.editor, body });
  });
  afterAll(() => house.close());
}
