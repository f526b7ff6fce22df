import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { codeAt } from "./authenticator.ts";
import { engines } from "./engines.ts";
import { faultyFields, type House, openHouse, refusal } from "./harness.ts";
import { type Login, password } from "./start-server.ts";

const minute = 60_000;

// service.md, Two-factor authentication (JWT); decisions §2
describe.each(engines)("two-factor login on $name", ({ open }) => {
  let house: House;
  let person: Login;
  let moved = 0;
  beforeAll(async () => {
    house = await openHouse(open);
  });
  beforeEach(async () => {
    pass(-moved);
    moved = 0;
    person = await house.logIn();
  });
  afterAll(() => house.close());

  const pass = (ms: number): void => {
    house.world.clock.advance(ms);
    moved += ms;
  };
  const now = () => house.world.clock.now();
  const setup = (as = person) => house.call("POST /users/me/2fa/setup", { as });
  const verify = (code: unknown) => house.call("POST /users/me/2fa/verify", { as: person, body: { code } });
  const disable = (code: unknown) => house.call("POST /users/me/2fa/disable", { as: person, body: { code } });
  const logIn = (two_factor_code?: string | null) =>
    house.call("POST /auth/login", { body: { email: person.email, password, two_factor_code } });
  /** Enables two-factor login; returns the secret and the recovery codes. */
  const enable = async () => {
    const secret = String((await setup()).body.data?.["secret"]);
    const answer = await verify(codeAt(secret, now()));
    expect(answer.status).toBe(200);
    return { secret, codes: answer.body.data?.["recovery_codes"] as unknown as string[] };
  };

  test("setup → {success, data: {secret, url}}, an otpauth URL", async () => {
    const { status, body } = await setup();
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        data: {
          secret: expect.stringMatching(/^[A-Z2-7]{32,}$/),
          url: expect.stringMatching(/^otpauth:\/\/totp\//),
        },
      },
    ]);
    expect(new URL(String(body.data?.["url"])).searchParams.get("secret")).toBe(body.data?.["secret"]);
    expect((await house.call("GET /users/me/2fa/qr", { as: person })).body.data?.["svg"]).toContain("<svg");
    expect((await logIn(null)).status).toBe(200);
  });

  test("verify {code} enables it and shows ten recovery codes; every login then requires a code", async () => {
    const { secret, codes } = await enable();
    expect(new Set(codes).size).toBe(10);
    const me = await house.call("GET /users/me", { as: person });
    expect(me.body.data?.["two_factor_enabled"]).toBe(true);
    for (const none of [undefined, null, ""])
      expect(refusal(await logIn(none))).toEqual([401, "two_factor_required"]);
    expect(refusal(await logIn("000000"))).toEqual([401, "invalid_two_factor_code"]);
    pass(minute);
    expect((await logIn(codeAt(secret, now()))).status).toBe(200);
    expect((await logIn(codes[0])).status).toBe(200);
    expect(refusal(await logIn(codes[0]))).toEqual([401, "invalid_two_factor_code"]);
  });

  test("a wrong password is reported as such, with or without a code", async () => {
    await enable();
    const body = { email: person.email, password: "another password", two_factor_code: "123456" };
    expect(refusal(await house.call("POST /auth/login", { body }))).toEqual([401, "invalid_credentials"]);
  });

  test("a code works once, also when fifty come at once; one step of drift is accepted, two are not", async () => {
    const { secret } = await enable();
    expect(refusal(await logIn(codeAt(secret, now())))).toEqual([401, "invalid_two_factor_code"]);
    pass(5 * minute);
    expect(refusal(await logIn(codeAt(secret, now() + 61_000)))).toEqual([401, "invalid_two_factor_code"]);
    expect((await logIn(codeAt(secret, now() - 30_000))).status).toBe(200);
    pass(5 * minute);
    const code = codeAt(secret, now());
    const answers = await Promise.all(Array.from({ length: 5 }, () => logIn(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("5 wrong codes in 5 minutes, parallel or not; then 429 even for the right one", async () => {
    const { secret } = await enable();
    pass(minute);
    const answers = await Promise.all(Array.from({ length: 9 }, () => logIn("000000")));
    const looked = answers.filter(({ body }) => body.error?.code === "invalid_two_factor_code");
    expect(looked).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    const locked = await logIn(codeAt(secret, now()));
    expect(refusal(locked)).toEqual([429, "rate_limited"]);
    expect(locked.headers.get("retry-after")).toBe("300");
    expect(locked.headers.get("ratelimit-policy")).toBe('"codes:user";q=5;w=300');
    expect(locked.headers.get("ratelimit")).toBe('"codes:user";r=0;t=300');
    pass(5 * minute);
    expect((await logIn(codeAt(secret, now()))).status).toBe(200);
  });

  test("setup while enabled is a 409; a second setup replaces the unverified secret; it expires after 10 minutes", async () => {
    const first = String((await setup()).body.data?.["secret"]);
    const second = String((await setup()).body.data?.["secret"]);
    expect(refusal(await verify(codeAt(first, now())))).toEqual([400, "invalid_two_factor_code"]);
    pass(10 * minute);
    expect(refusal(await verify(codeAt(second, now())))).toEqual([400, "two_factor_not_set_up"]);
    await enable();
    expect(refusal(await setup())).toEqual([409, "two_factor_already_enabled"]);
    expect(refusal(await verify("123456"))).toEqual([409, "two_factor_already_enabled"]);
    expect(refusal(await house.call("GET /users/me/2fa/qr", { as: person }))).toEqual([
      409,
      "two_factor_already_enabled",
    ]);
  });

  test("verify and disable without setup are a 400; so are a missing or empty code and an unknown field", async () => {
    expect(refusal(await verify("123456"))).toEqual([400, "two_factor_not_set_up"]);
    expect(refusal(await disable("123456"))).toEqual([400, "two_factor_not_set_up"]);
    expect(refusal(await house.call("GET /users/me/2fa/qr", { as: person }))).toEqual([
      400,
      "two_factor_not_set_up",
    ]);
    expect(faultyFields(await verify(undefined))).toEqual([400, ["code"]]);
    expect(faultyFields(await verify(""))).toEqual([400, ["code"]]);
    expect(faultyFields(await verify(123456))).toEqual([400, ["code"]]);
  });

  test("disable {code} requires a valid code", async () => {
    const { secret } = await enable();
    expect(refusal(await disable(codeAt(secret, now())))).toEqual([400, "invalid_two_factor_code"]);
    pass(minute);
    expect((await disable(codeAt(secret, now()))).body).toEqual({ success: true, data: { enabled: false } });
    expect((await logIn()).status).toBe(200);
  });

  test("enabling revokes the other sessions and e-mails the user", async () => {
    const other = { ...person, token: String((await logIn()).body.data?.["token"]) };
    await enable();
    expect(refusal(await house.call("GET /users/me", { as: other }))).toEqual([401, "unauthenticated"]);
    expect((await house.call("GET /users/me", { as: person })).status).toBe(200);
    await house.world.posthorn.drain();
    expect(house.world.mailer.inbox.find({ to: person.email, subject: /Two-factor/ })).toBeDefined();
  });

  test("DELETE /admin/users/{userId}/2fa: an administrator disables it", async () => {
    await enable();
    const path = `DELETE /admin/users/${person.userId}/2fa`;
    expect(refusal(await house.call(path, { as: person }))).toEqual([403, "administrator_required"]);
    expect((await house.call(path, { as: house.administrator })).status).toBe(200);
    expect((await logIn()).status).toBe(200);
    expect(refusal(await house.call("DELETE /admin/users/999999/2fa", { as: house.administrator }))).toEqual([
      404,
      "not_found",
    ]);
  });

  test("no log contains the secret or a code", async () => {
    const { secret, codes } = await enable();
    const mine = await house.call("GET /users/me/audit-log", { as: person });
    expect(mine.body.data?.map(({ type }) => type)).toContain("user.2fa_enabled");
    for (const word of [secret, ...codes]) expect(mine.text).not.toContain(word);
  });
});
