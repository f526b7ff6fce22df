import { describe, expect, test } from "vitest";
import { createListeners } from "./listeners.ts";
import type { NewEvent } from "./outbox.ts";
import { silentLogger } from "./ports/logger.ts";

const event = (type: string): NewEvent => ({
  category: "email",
  type,
  workspaceId: 1,
  userId: undefined,
  actorId: undefined,
  actorName: "",
  clientIp: "",
  message: "",
  metadata: '{"email_id":"7"}',
  createdAt: 1,
});

describe("listeners", () => {
  test("hear of their own type or of all, with the metadata read, until they stop", () => {
    const { on, tell } = createListeners(undefined);
    const heard: unknown[] = [];
    const stop = on("email.sent", ({ type, metadata }) => heard.push([type, metadata]));
    on("*", ({ type }) => heard.push(type));
    tell([event("email.sent"), event("email.failed")]);
    expect(heard).toEqual([["email.sent", { email_id: "7" }], "email.sent", "email.failed"]);
    stop();
    stop();
    tell([event("email.sent")]);
    expect(heard.slice(3)).toEqual(["email.sent"]);
  });

  test("one that throws, or rejects later, is logged and stops nobody", async () => {
    const errors: object[] = [];
    const { on, tell } = createListeners({ ...silentLogger, error: (fields) => void errors.push(fields) });
    const heard: string[] = [];
    on("email.sent", () => {
      throw new Error("a bug");
    });
    on("email.sent", async () => {
      await Promise.resolve();
      throw new Error("a later bug");
    });
    on("email.sent", () => heard.push("told"));
    tell([event("email.sent"), event("email.sent")]);
    expect(heard).toEqual(["told", "told"]);
    await new Promise(setImmediate);
    expect(errors).toHaveLength(4);
    expect(errors).toContainEqual({ err: new Error("a later bug"), type: "email.sent" });
  });
});
