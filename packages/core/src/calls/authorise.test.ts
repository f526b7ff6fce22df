import { beforeEach, describe, expect, test } from "vitest";
import { openWorldForEach, workspace as shop, world } from "../../test/world-for-each.ts";
import type { Caller } from "./caller.ts";

let emailId: string;
openWorldForEach();
beforeEach(async () => {
  const mail = { subject: "Hi", text: "x", to: ["ada@example.com"] };
  emailId = (await world.posthorn.emails.send(mail, { workspaceId: shop.id })).id;
  const other = await world.addWorkspace();
  await world.posthorn.emails.send(mail, { workspaceId: other.id });
});

const keyOf = async (): Promise<Caller> => {
  const { key } = await world.posthorn.apiKeys.create({ name: "k" }, shop.asOwner);
  const caller = await world.posthorn.authenticateApiKey(key);
  if (caller === undefined) throw new Error("the key is gone");
  return caller;
};

describe("a verb with several kinds of access", () => {
  const list = async (as: Caller, workspaceId: number | "all") => {
    try {
      return (await world.posthorn.emails.list({}, { as, workspaceId })).total;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  test("checks the workspace of a key, a member or the operator, and all workspaces for permitted callers", async () => {
    const operator = { kind: "operator", name: "host" } as const;
    const admin = await world.addUser({ admin: true });
    expect(await list(await keyOf(), shop.id)).toBe(1);
    expect(await list(await shop.addMember("viewer"), shop.id)).toBe(1);
    expect(await list(operator, shop.id)).toBe(1);
    expect(await list(operator, "all")).toBe(2);
    expect(await list(admin, "all")).toBe(2);
  });

  test("refuses callers with none of them", async () => {
    const admin = await world.addUser({ admin: true });
    expect(await list({ kind: "anonymous" }, "all")).toBe("unauthenticated");
    expect(await list(await world.addUser(), shop.id)).toBe("not_a_member");
    expect(await list(shop.owner, "all")).toBe("administrator_required");
    // Within a workspace, an administrator has only the rights of their membership.
    expect(await list(admin, shop.id)).toBe("not_a_member");
    expect(await list({ kind: "operator", name: "host" }, 999)).toBe("not_found");
  });

  test("gives a key its own workspace, whichever it names", async () => {
    const key = await keyOf();
    expect(await list(key, "all")).toBe(1);
    expect(await list(key, 999)).toBe(1);
    // Retrying needs a user, not an API key.
    const retry = world.posthorn.emails.retry({ emailId }, { as: key, workspaceId: shop.id });
    await expect(retry).rejects.toMatchObject({ code: "unauthenticated" });
  });

  test("requires a workspace, even from callers who can see all", async () => {
    const nowhere = { workspaceId: undefined as never };
    await expect(world.posthorn.emails.list({}, nowhere)).rejects.toMatchObject({
      code: "workspace_required",
    });
    const everywhere = { workspaceId: "all" as never };
    await expect(world.posthorn.templates.list({}, everywhere)).rejects.toMatchObject({
      code: "workspace_required",
    });
    await expect(world.posthorn.emails.cancel({ emailId }, everywhere)).rejects.toMatchObject({
      code: "workspace_required",
    });
  });
});

test("an administrator demoted before the change is made changes nothing", async () => {
  const admin = await world.addUser({ admin: true });
  await world.posthorn.users.demote({ userId: admin.userId }).catch(() => undefined);
  await world.addUser({ admin: true });
  await world.posthorn.users.demote({ userId: admin.userId }).catch(() => undefined);
  const retry = world.posthorn.emails.retry({ emailId }, { as: admin, workspaceId: "all" });
  await expect(retry).rejects.toMatchObject({ code: "administrator_required" });
});
