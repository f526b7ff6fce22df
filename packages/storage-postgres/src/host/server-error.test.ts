import { expect, test } from "vitest";
import { serverErrorOf } from "./server-error.ts";

const told = Object.assign(new Error('duplicate key value violates unique constraint "users_email"'), {
  code: "23505",
  constraint: "users_email",
});

test.each([
  ["pg", told],
  ["Drizzle", new Error("Failed query", { cause: told })],
  ["TypeORM", Object.assign(new Error("duplicate key"), { driverError: told })],
  ["Sequelize", Object.assign(new Error("Validation error"), { parent: told, original: told })],
  ["postgres.js", { code: "23505", constraint_name: "users_email", message: "duplicate key" }],
  [
    "Prisma",
    Object.assign(new Error("Raw query failed"), {
      code: "P2010",
      meta: { driverAdapterError: { cause: { originalCode: "23505", originalMessage: told.message } } },
    }),
  ],
])("finds the server's error in %s's", (_, thrown) => {
  expect(serverErrorOf(thrown)).toMatchObject({ code: "23505", constraint: "users_email" });
});

test.each([
  'duplicate key value violates unique constraint "users_email"',
  "doppelter Schlüsselwert verletzt Unique-Constraint »users_email«",
  "la valeur d'une clé dupliquée rompt la contrainte unique « users_email »",
  'insert or update on table "users" violates foreign key constraint "users_email"',
])("finds the constraint in the words of a server, whatever its language: %s", (originalMessage) => {
  const thrown = { code: "P2010", cause: { originalCode: "23505", originalMessage } };
  expect(serverErrorOf(thrown)).toMatchObject({ code: "23505", constraint: "users_email" });
});

test("leaves out the statement and its values that Knex puts before the server's words", () => {
  const statement = "insert into people values ($1)";
  const error = { code: "57014", message: "insert into people values ('secret') - canceling statement" };
  expect(serverErrorOf(error, statement)).toMatchObject({ message: "canceling statement" });
  expect(serverErrorOf({ ...error, message: "canceling statement - why" }, statement)).toMatchObject({
    message: "canceling statement - why",
  });
});

const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
const ended = new Error("Connection terminated unexpectedly");

test.each([
  ["pg", reset, reset],
  ["Drizzle", new Error("Failed query", { cause: reset }), reset],
  ["Drizzle", new Error("Failed query", { cause: ended }), ended],
  ["TypeORM", Object.assign(new Error("Failed"), { driverError: ended }), ended],
  ["Sequelize", Object.assign(new Error("read ECONNRESET"), { parent: reset, original: reset }), reset],
])("finds a lost connection in %s's", (_, thrown, inner) => {
  expect(serverErrorOf(thrown)).toBe(inner);
});

test("an error without one of the server's is returned as it is", () => {
  const own = new Error("the library's own");
  expect(serverErrorOf(own)).toBe(own);
  const circle: { cause?: unknown } = {};
  circle.cause = circle;
  expect(serverErrorOf(circle)).toBe(circle);
});
