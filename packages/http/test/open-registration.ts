import { afterAll, beforeAll } from "vitest";
import type { Engine } from "./engines.ts";
import { type House, openHouse } from "./harness.ts";
import { password } from "./start-server.ts";

export let house: House;
let count = 0;

// Each from a different client, because the number of registrations per client is limited.
let clients = 0;

const newClient = () => `198.51.100.${++clients}`;

export const post = (path: string, body: unknown, ip = newClient()) =>
  house.call(`POST /auth/${path}`, { body, headers: { "x-forwarded-for": ip } });

export const newAddress = () => `person${++count}@example.org`;
export const logIn = (email: string, text = password) => post("login", { email, password: text });

/** A house in which anybody may register, for the tests of an engine. */
export function openRegistrationHouse(open: Engine["open"]): void {
  beforeAll(async () => {
    house = await openHouse(open, { trustProxy: true }, { registration: "open" });
  });
  afterAll(() => house.close());
}
