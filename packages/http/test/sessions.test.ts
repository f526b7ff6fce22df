import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSecretBox } from "../../core/src/rules/secret-box.ts";
import { worldSecretKey as secretKey } from "../../core/src/testing/world.ts";
import { engines } from "./engines.ts";
import { faultyFields, type House, openHouse, refusal } from "./harness.ts";
import { type Login, password, startServer } from "./start-server.ts";

const hour = 60 * 60_000;

// service.md, Sessions (JWT)
describe.each(engines)("sessions on $name", ({ open }) => {
  let house: House;
  let person: Login;
  beforeAll(async () => {
    house = await openHouse(open);
  });
  beforeEach(async () => {
    person = await house.logIn();
  });
  afterAll(() => house.close());

  const logIn = async (): Promise<Login & { sessionId: string }> => {
    const { status, body } = await house.call("POST /auth/login", {
      body: { email: person.email, password },
      headers: { "user-agent": "A browser" },
    });
    expect(status).toBe(200);
    return { ...person, token: String(body.data?.["token"]), sessionId: String(body.data?.["session_id"]) };
  };
  const me = (as: Login) => house.call("GET /users/me", { as });
  const gone = [401, "unauthenticated"];

  test("GET /users/me/sessions → {success, data: [Session]}", async () => {
    const second = await logIn();
    const { status, body } = await house.call("GET /users/me/sessions", { as: person });
    expect([status, body.success, body.data?.length]).toEqual([200, true, 2]);
    expect(body.data?.find(({ id }) => id === second.sessionId)).toEqual({
      id: second.sessionId,
      user_agent: "A browser",
      ip_address: expect.stringMatching(/127\.0\.0\.1/),
      created_at: "2030-01-01T12:00:00.000Z",
      expires_at: "2030-01-02T12:00:00.000Z",
      revoked: false,
    });
  });

  test("GET /users/me/sessions lists 100, and further ones by pages", async () => {
    const list = (query: string) => house.call(`GET /users/me/sessions${query}`, { as: person });
    const [second, third] = [await logIn(), await logIn()];
    const { body } = await list("?size=1");
    expect(body.data?.map(({ id }) => id)).toEqual([third.sessionId]);
    expect(body.pagination).toMatchObject({ page: 0, size: 1, total: 3, total_pages: 3 });
    const rest = (await list(`?size=1&after=${body.pagination?.after}`)).body;
    expect(rest.data?.map(({ id }) => id)).toEqual([second.sessionId]);
    expect((await list("")).body.pagination).toMatchObject({ size: 100, total: 3, after: null });
    expect(faultyFields(await list("?size=101"))).toEqual([400, ["size"]]);
  });

  test("DELETE …/{sessionId} revokes it with the next request", async () => {
    const other = await logIn();
    expect((await me(other)).status).toBe(200);
    const revoke = () => house.call(`DELETE /users/me/sessions/${other.sessionId}`, { as: person });
    expect((await revoke()).status).toBe(200);
    expect(refusal(await me(other))).toEqual(gone);
    expect((await me(person)).status).toBe(200);
  });

  test("another user's session and a missing one get the same 404; a bad id is a 400", async () => {
    const mine = await logIn();
    const foreign = await house.call(`DELETE /users/me/sessions/${mine.sessionId}`, { as: house.stranger });
    const none = await house.call("DELETE /users/me/sessions/0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f", {
      as: person,
    });
    expect(refusal(foreign)).toEqual([404, "not_found"]);
    expect(foreign.body.error).toEqual(none.body.error);
    expect((await me(mine)).status).toBe(200);
    expect(faultyFields(await house.call("DELETE /users/me/sessions/1", { as: person }))).toEqual([
      400,
      ["sessionId"],
    ]);
  });

  test("POST …/revoke-others keeps the current one", async () => {
    const others = [await logIn(), await logIn()];
    const current = await logIn();
    expect((await house.call("POST /users/me/sessions/revoke-others", { as: current })).status).toBe(200);
    for (const each of [...others, person]) expect(refusal(await me(each))).toEqual(gone);
    expect((await me(current)).status).toBe(200);
  });

  test("POST …/logout revokes the current one, and only it", async () => {
    const other = await logIn();
    expect((await house.call("POST /users/me/sessions/logout", { as: person })).status).toBe(200);
    expect(refusal(await me(person))).toEqual(gone);
    expect((await me(other)).status).toBe(200);
  });

  test("a session expires after 24 hours", async () => {
    const { clock } = house.world;
    clock.advance(24 * hour - 1000);
    const before = (await me(person)).status;
    clock.advance(1000);
    const after = refusal(await me(person));
    clock.advance(-24 * hour);
    expect([before, after]).toEqual([200, gone]);
  });

  test("the token is a JWT with iss, aud, sub, jti, iat and exp", async () => {
    const { token, sessionId } = await logIn();
    const [header, claims] = token
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
    expect(header).toMatchObject({ alg: "HS256" });
    const iat = house.world.clock.now() / 1000;
    expect(claims).toEqual({
      iss: expect.any(String),
      aud: expect.any(String),
      sub: String(person.userId),
      jti: sessionId,
      iat,
      exp: iat + 24 * 3600,
    });
  });

  test("a login is valid in every process on the database, whatever base URL each has", async () => {
    const { storage, clock } = house.world;
    const shared = { ...storage, close: () => Promise.resolve() };
    const baseUrl = "https://mail.example.com";
    const other = await startServer({}, () => Promise.resolve(shared), { clock, baseUrl });
    const there = (as: Login) => other.ask("GET /users/me", { token: as.token });
    expect((await there(person)).status).toBe(200);
    await house.call("POST /users/me/sessions/logout", { as: person });
    expect(refusal(await there(person))).toEqual(gone);
    await other.close();
  });

  test("a revoked session is refused during concurrent requests", async () => {
    const other = await logIn();
    const racing = Array.from({ length: 40 }, () => me(other));
    await house.call(`DELETE /users/me/sessions/${other.sessionId}`, { as: person });
    const late = await Promise.all(Array.from({ length: 40 }, () => me(other)));
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set([401]));
    for (const { status } of await Promise.all(racing)) expect([200, 401]).toContain(status);
  });

  // reliability.md, threat 20
  test("forged and damaged tokens get the same 401", async () => {
    const [header = "", claims = "", signature = ""] = person.token.split(".");
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const real = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
    const signed = (head: unknown, body: unknown, secret = "guess") => {
      const content = `${encode(head)}.${encode(body)}`;
      return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
    };
    const hs256 = { alg: "HS256", typ: "JWT" };
    const forged = [
      ...["none", "None", "nOnE", "RS256", "HS384", ""].map(
        (alg) => `${encode({ alg, typ: "JWT" })}.${claims}.`,
      ),
      ...["none", "HS512", "RS256"].map((alg) => `${encode({ alg, typ: "JWT" })}.${claims}.${signature}`),
      signed(hs256, real),
      signed(hs256, real, ""),
      signed({ ...hs256, kid: "../../dev/null" }, real, ""),
      signed({ ...hs256, jwk: { kty: "oct", k: "" } }, real, ""),
      `${header}.${encode({ ...real, sub: String(house.administrator.userId) })}.${signature}`,
      `${header}.${encode({ ...real, exp: "1e400" })}.${signature}`,
      `${header}.${claims}.`,
      `${header}.${claims}`,
      `${header}.${claims}.${signature}.x`,
      `${header}.${claims}.${signature.slice(0, -1)}`,
      `.${claims}.${signature}`,
      "..",
      "a.b.c",
      "a".repeat(5000),
    ];
    for (const token of forged) {
      const answer = await me({ ...person, token });
      expect([token, ...refusal(answer)]).toEqual([token, ...gone]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect((await me(person)).status).toBe(200);
  });

  test("validly signed tokens with a missing or wrong claim are refused too", async () => {
    const [header = "", claims = ""] = person.token.split(".");
    const real = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
    const sign = (changes: Record<string, unknown>, head = header): string => {
      const content = `${head}.${Buffer.from(JSON.stringify({ ...real, ...changes })).toString("base64url")}`;
      return `${content}.${createHmac("sha256", createSecretBox(secretKey).jwtKey).update(content).digest("base64url")}`;
    };
    expect((await me({ ...person, token: sign({}) })).status).toBe(200);
    const exp = Number(real["exp"]);
    for (const changes of [
      { iss: undefined },
      { aud: undefined },
      { sub: undefined },
      { jti: undefined },
      { exp: undefined },
      { iat: undefined },
      { iss: "https://evil.example" },
      { aud: "https://evil.example" },
      { sub: String(house.administrator.userId) },
      { sub: "1e3" },
      { jti: "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f" },
      { jti: "1' OR '1'='1" },
      { exp: exp - 48 * 3600 },
      { exp: String(exp) },
      { nbf: exp },
    ])
      expect([changes, ...refusal(await me({ ...person, token: sign(changes) }))]).toEqual([
        changes,
        ...gone,
      ]);
    for (const alg of ["none", "HS512", "RS256"]) {
      const head = Buffer.from(JSON.stringify({ alg, typ: "JWT" })).toString("base64url");
      expect(refusal(await me({ ...person, token: sign({}, head) }))).toEqual(gone);
    }
  });
});
