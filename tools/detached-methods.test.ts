import type { Client } from "@posthorn/client";
import type { Posthorn } from "@posthorn/core";
import { createWorld, type MemoryInbox, type World } from "@posthorn/core/testing";
import type { NodeHandler, PosthornServer, WebHandler } from "@posthorn/http";
import type { CaptureMailer } from "@posthorn/mailer-smtp";
import { expect, expectTypeOf, test } from "vitest";
import { openTestSqlite } from "../packages/storage-sqlite/test/open-test-sqlite.ts";

/** The methods of an interface that do not say `this: void`: typescript-eslint's `unbound-method` refuses to detach them. */
type Bound<T> = {
  [K in keyof T]: T[K] extends (...given: never) => unknown
    ? unknown extends ThisParameterType<T[K]>
      ? K
      : never
    : never;
}[keyof T];

type Verbs<T> = {
  [K in keyof T]: T[K] extends (...given: never) => unknown ? never : Bound<T[K]>;
}[keyof Pick<T, Extract<keyof T, "emails" | "templates" | "webhooks" | "workspaces">>];

test("methods can be taken from the service, its verbs and what else a host calls, as the types say", async () => {
  expectTypeOf<Bound<Omit<Posthorn, "on">>>().toBeNever(); // `on` is a property, not a method
  expectTypeOf<Verbs<Posthorn>>().toBeNever();
  expectTypeOf<Bound<Client>>().toBeNever();
  expectTypeOf<Bound<World> | Bound<MemoryInbox>>().toBeNever();
  expectTypeOf<Bound<NodeHandler> | Bound<WebHandler> | Bound<PosthornServer>>().toBeNever();
  expectTypeOf<Bound<Pick<CaptureMailer, "list" | "find" | "clear">>>().toBeNever();
  const { posthorn, mailer, addWorkspace, close } = await createWorld(await openTestSqlite());
  const { workspace, drain } = posthorn;
  const { send } = workspace((await addWorkspace()).id).emails;
  await send({ to: ["ada@example.com"], subject: "Hi", text: "Hello" });
  await drain();
  const { all } = mailer.inbox;
  expect(all()).toHaveLength(1);
  await close();
});
