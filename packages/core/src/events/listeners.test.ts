import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { EventMetadata } from "../events.ts";
import { silentLogger } from "../ports/logger.ts";
import type { NewEvent } from "../ports/storage.ts";
import type { ServiceEvent } from "./event-view.ts";
import { createListeners, type Listen } from "./listeners.ts";

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
  test("receive events of their type or of all, with parsed metadata, until removed", () => {
    const { on, tell } = createListeners(undefined);
    const heard: unknown[] = [];
    const stop = on("email.sent", ({ type, metadata }) => heard.push([type, metadata]));
    on("*", ({ type }) => heard.push(type));
    tell([event("email.sent"), event("email.failed")]);
    expect(heard).toEqual([["email.sent", { emailId: "7" }], "email.sent", "email.failed"]);
    stop();
    stop();
    tell([event("email.sent")]);
    expect(heard.slice(3)).toEqual(["email.sent"]);
  });

  test("one that throws, or rejects later, is logged and does not affect others", async () => {
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

  test("receive only the metadata of their type of event", () => {
    type Failed = { email_id: string; reply: string; reason: string };
    expectTypeOf<EventMetadata<"email.failed">>().toEqualTypeOf<Failed>();
    type Sent = { email_id: string; accepted: number; failed: number };
    expectTypeOf<EventMetadata<"email.sent">>().toEqualTypeOf<Sent>();
    type Changed = { user_id: number; from: unknown; to: unknown };
    expectTypeOf<EventMetadata<"member.role_updated">>().toEqualTypeOf<Changed>();
    expectTypeOf<EventMetadata<"queue.paused">>().toEqualTypeOf<{ route: string; reason: string }>();
    expectTypeOf<keyof EventMetadata<"webhook.test">>().toBeNever();
    expectTypeOf<ServiceEvent<"email.queued">["type"]>().toEqualTypeOf<"email.queued">();

    const typed = (on: Listen): void => {
      // @ts-expect-error: a key that the event does not have
      on("email.failed", ({ metadata }) => metadata.email_id);
      // @ts-expect-error: a type that there is not
      on("email.exploded", () => {});
      on("*", ({ type, metadata }) => {
        if (type === "email.failed") expectTypeOf(metadata.emailId).toEqualTypeOf<string>();
      });
      const either = "email.bounced" as "email.bounced" | "email.complained";
      on(either, ({ metadata }) => expectTypeOf(metadata.recipient).toEqualTypeOf<string>());
    };
    const heard: string[] = [];
    typed(((type: string) => {
      heard.push(type);
      return () => {};
    }) as Listen);
    expect(heard).toEqual(["email.failed", "email.exploded", "*", "email.bounced"]);
  });
});

test("a listener runs in the context in which it subscribed, not in that of the call whose commit it was", () => {
  const context = new AsyncLocalStorage<string>();
  const heard: unknown[] = [];
  const { on, tell } = createListeners(undefined);
  context.run("the host's start", () => on("*", () => heard.push(context.getStore())));
  context.run("a tenant's request", () => tell([event("email.sent")]));
  expect(heard).toEqual(["the host's start"]);
});
