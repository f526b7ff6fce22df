import type { World } from "../src/testing/index.ts";
import { host, workspace, world } from "./world-for-each.ts";

type TemplateInput = Parameters<World["posthorn"]["emails"]["sendTemplate"]>[0];

export const sendTemplate = (input: Partial<TemplateInput> = {}) =>
  world.posthorn.emails.sendTemplate({ template: "welcome", to: ["ada@example.com"], ...input }, host());

export const addTemplate = () =>
  world.posthorn.templates.create(
    { name: "welcome", subject: "Hello {{name}}", html: "<p>Dear {{name}}, {{greeting}}</p>" },
    workspace.asOwner,
  );

export const count = async () => (await world.posthorn.emails.list({}, host())).total;
