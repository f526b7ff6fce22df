import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, type House, mailedToken, openHouse, refusal } from "./harness.ts";
import type { Login } from "./start-server.ts";

const day = 24 * 60 * 60_000;

describe.each(engines)("invitations on $name", ({ open }) => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse(open);
  });
  afterAll(() => house.close());

  const invite = (email: string, { as = house.owner, role = "viewer" as unknown } = {}) =>
    house.call("POST /workspaces/current/invitations", { as, body: { email, role } });
  /** Invites a person; returns the invitation's id and token. */
  const invited = async (guest: Login, role = "viewer") => {
    const made = await invite(guest.email, { role });
    expect(made.status).toBe(201);
    return { id: Number(made.body.data?.["id"]), token: await mailedToken(house, guest.email, /invites/) };
  };
  const accept = (as: Login, token: string) =>
    house.call("POST /invitations/accept", { as, body: { token } });
  const decline = (as: Login, token: string) =>
    house.call("POST /invitations/decline", { as, body: { token } });

  // service.md, Invitations, workspace side (JWT + workspace header; owners and admins)
  describe("workspace side", () => {
    test("POST /workspaces/current/invitations {email, role} → 201 {data: Invitation}, and the e-mail with the link", async () => {
      const made = await invite("new@example.com", { role: "editor" });
      expect([made.status, made.body]).toEqual([
        201,
        {
          data: {
            id: expect.any(Number),
            workspace_id: house.workspace,
            workspace: "",
            email: "new@example.com",
            role: "editor",
            status: "pending",
            expires_at: "2030-01-08T12:00:00.000Z",
            created_at: "2030-01-01T12:00:00.000Z",
          },
        },
      ]);
      const token = await mailedToken(house, "new@example.com", /invites you to Acme/);
      expect(Buffer.from(token, "base64url")).toHaveLength(32);
      const mail = house.world.mailer.inbox.find({ to: "new@example.com" });
      expect(mail?.text).toContain(`/app/invitations?token=${token}`);
    });

    test("GET → {data: [Invitation]}, pending ones only, workspace empty", async () => {
      const own = await openHouse(open);
      onTestFinished(() => own.close());
      const path = "/workspaces/current/invitations";
      const make = async (email: string) => {
        const body = { email, role: "viewer" };
        return (await own.call(`POST ${path}`, { as: own.owner, body })).body.data?.["id"];
      };
      await own.call(`DELETE ${path}/${await make("gone@example.com")}`, { as: own.owner });
      await make("new@example.com");
      const { status, body } = await own.call(`GET ${path}`, { as: own.admin });
      expect(status).toBe(200);
      expect(body.data?.map(({ email, workspace }) => [email, workspace])).toEqual([["new@example.com", ""]]);
    });

    test("DELETE …/{id} → 204, and the link is no longer valid", async () => {
      const guest = await house.logIn();
      const { id, token } = await invited(guest);
      const cancel = () => house.call(`DELETE /workspaces/current/invitations/${id}`, { as: house.admin });
      expect((await cancel()).status).toBe(204);
      expect(refusal(await cancel())).toEqual([404, "not_found"]);
      expect(refusal(await accept(guest, token))).toEqual([404, "not_found"]);
    });

    test("role owner is a 400, a member's address a 409, a second invitation a 409", async () => {
      expect(refusal(await invite("a@example.com", { role: "owner" }))).toEqual([
        400,
        "owner_role_not_assignable",
      ]);
      expect(refusal(await invite(house.viewer.email.toUpperCase()))).toEqual([409, "already_member"]);
      expect((await invite("twice@example.com")).status).toBe(201);
      expect(refusal(await invite("TWICE@example.com"))).toEqual([409, "invitation_exists"]);
    });

    test("email and role are required and checked", async () => {
      const post = (body: unknown) =>
        house.call("POST /workspaces/current/invitations", { as: house.owner, body });
      expect(faultyFields(await post({}))).toEqual([400, ["email", "role"]]);
      expect(faultyFields(await post({ email: "a@b@c", role: "chief" }))).toEqual([400, ["email", "role"]]);
      expect(faultyFields(await post({ email: "a@example.com", role: "viewer", token: "x" }))).toEqual([
        400,
        ["token"],
      ]);
    });

    test("the inviter's address must be verified", async () => {
      const unverified = await house.logIn({ verified: false });
      const { storage, clock } = house.world;
      const { userId } = unverified;
      await storage.members.insert({
        workspaceId: house.workspace,
        userId,
        role: "admin",
        createdAt: clock.now(),
      });
      expect(refusal(await invite("b@example.com", { as: unverified }))).toEqual([403, "email_not_verified"]);
    });

    test("editors and viewers can't invite, read or cancel", async () => {
      for (const as of [house.editor, house.viewer]) {
        expect(refusal(await invite("c@example.com", { as }))).toEqual([403, "forbidden"]);
        expect(refusal(await house.call("GET /workspaces/current/invitations", { as }))).toEqual([
          403,
          "forbidden",
        ]);
        expect(refusal(await house.call("DELETE /workspaces/current/invitations/1", { as }))).toEqual([
          403,
          "forbidden",
        ]);
      }
    });

    test("100 invitations an hour for a workspace, then 429", async () => {
      const workspace = await house.makeWorkspace(house.owner, "Eager");
      const post = (at: number) =>
        house.call("POST /workspaces/current/invitations", {
          as: house.owner,
          workspace,
          body: { email: `guest${at}@example.net`, role: "viewer" },
        });
      const answers = await Promise.all(Array.from({ length: 104 }, (_, at) => post(at)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
      const over = answers.filter(({ status }) => status !== 201);
      expect(over.map(refusal)).toEqual(Array(4).fill([429, "rate_limited"]));
      expect(over[0]?.headers.get("retry-after")).toBe("3600");
    });

    test("the token is in no response and no log", async () => {
      const guest = await house.logIn();
      const { token } = await invited(guest);
      const asked = [
        await house.call("GET /workspaces/current/invitations", { as: house.owner }),
        await house.call("GET /workspaces/current/audit-log?size=100", { as: house.owner }),
        await house.call("GET /admin/events?size=100", { as: house.administrator }),
        await house.call("GET /invitations", { as: guest }),
      ];
      for (const { status, text } of asked) expect([status, text.includes(token)]).toEqual([200, false]);
    });
  });

  // service.md, Invitations, invitee side (JWT only; no workspace header)
  describe("invitee side", () => {
    test("GET /invitations → {data: [Invitation]} with the workspace's name, without a workspace header", async () => {
      const guest = await house.logIn();
      await invited(guest, "admin");
      const { status, body } = await house.call("GET /invitations", { as: guest });
      expect([status, body.data]).toMatchObject([
        200,
        [{ workspace: "Acme", role: "admin", status: "pending" }],
      ]);
      expect(body.data).toHaveLength(1);
    });

    test.each(["token", "id"])(
      "accept by %s → {data: {message, workspace_id}}, and the role",
      async (way) => {
        const guest = await house.logIn();
        const { id, token } = await invited(guest, "editor");
        const answer =
          way === "token"
            ? await accept(guest, token)
            : await house.call(`POST /invitations/${id}/accept`, { as: guest });
        expect([answer.status, answer.body]).toEqual([
          200,
          { data: { message: expect.stringContaining("Acme"), workspace_id: house.workspace } },
        ]);
        const mine = await house.call("GET /workspaces/current", { as: guest });
        expect(mine.body.data?.["role"]).toBe("editor");
        const again = await accept(guest, token);
        expect(refusal(again)).toEqual([400, "invitation_not_pending"]);
      },
    );

    test.each(["token", "id"])("decline by %s → {data: {message}}; no longer pending", async (way) => {
      const guest = await house.logIn();
      const { id, token } = await invited(guest);
      const answer =
        way === "token"
          ? await decline(guest, token)
          : await house.call(`POST /invitations/${id}/decline`, { as: guest });
      expect([answer.status, answer.body]).toEqual([200, { data: { message: expect.any(String) } }]);
      expect((await house.call("GET /invitations", { as: guest })).body.data).toEqual([]);
      expect(refusal(await accept(guest, token))).toEqual([400, "invitation_not_pending"]);
      expect(refusal(await decline(guest, token))).toEqual([400, "invitation_not_pending"]);
      expect((await invite(guest.email)).status).toBe(201);
    });

    test("expires after 7 days with a 400; the address can then be invited again", async () => {
      const guest = await house.logIn();
      const { id, token } = await invited(guest);
      const { clock } = house.world;
      clock.advance(7 * day);
      try {
        const { posthorn } = house.world;
        const login = await posthorn.accounts.login(
          { email: guest.email, password: "correct horse battery staple" },
          { as: { kind: "anonymous" } },
        );
        const as = { ...guest, token: login.token };
        for (const answer of [
          await accept(as, token),
          await decline(as, token),
          await house.call(`POST /invitations/${id}/accept`, { as }),
          await house.call(`POST /invitations/${id}/decline`, { as }),
        ])
          expect(refusal(answer)).toEqual([400, "invitation_expired"]);
        expect((await house.call("GET /invitations", { as })).body.data).toEqual([]);
      } finally {
        clock.advance(-7 * day);
      }
    });

    test("addressed to another user: 403, by either way", async () => {
      const guest = await house.logIn();
      const { id, token } = await invited(guest);
      for (const answer of [
        await accept(house.stranger, token),
        await decline(house.stranger, token),
        await house.call(`POST /invitations/${id}/accept`, { as: house.stranger }),
        await house.call(`POST /invitations/${id}/decline`, { as: house.stranger }),
      ])
        expect(refusal(answer)).toEqual([403, "invitation_for_another_user"]);
    });

    test("already a member: 409, and the invitation is accepted nevertheless", async () => {
      const guest = await house.logIn();
      const { token } = await invited(guest);
      const { storage, clock } = house.world;
      const member = { workspaceId: house.workspace, userId: guest.userId, role: "viewer" as const };
      await storage.members.insert({ ...member, createdAt: clock.now() });
      expect(refusal(await accept(guest, token))).toEqual([409, "already_member"]);
      expect(refusal(await accept(guest, token))).toEqual([400, "invitation_not_pending"]);
    });

    test("the token verifies an unverified address; the id and the list need a verified one", async () => {
      const guest = await house.logIn({ verified: false });
      const { id, token } = await invited(guest);
      for (const signature of [
        "GET /invitations",
        `POST /invitations/${id}/accept`,
        `POST /invitations/${id}/decline`,
      ])
        expect(refusal(await house.call(signature, { as: guest }))).toEqual([403, "email_not_verified"]);
      expect((await accept(guest, token)).status).toBe(200);
      const me = await house.call("GET /users/me", { as: guest });
      expect(me.body.data?.["email_verified"]).toBe(true);
    });

    test("an unknown token or id is a 404, a malformed id a 400", async () => {
      expect(refusal(await accept(house.stranger, "a".repeat(43)))).toEqual([404, "not_found"]);
      expect(refusal(await decline(house.stranger, "nonsense"))).toEqual([404, "not_found"]);
      expect(refusal(await house.call("POST /invitations/999999/accept", { as: house.stranger }))).toEqual([
        404,
        "not_found",
      ]);
      expect(refusal(await house.call("POST /invitations/0/decline", { as: house.stranger }))).toEqual([
        400,
        "validation_failed",
      ]);
    });

    test("fifty accepts at once: one 200, every other a 400", async () => {
      const guest = await house.logIn();
      const { id, token } = await invited(guest);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          at % 2 === 0 ? accept(guest, token) : house.call(`POST /invitations/${id}/accept`, { as: guest }),
        ),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([200, ...Array(49).fill(400)]);
    });
  });
});
