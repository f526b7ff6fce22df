import { expect, test } from "vitest";
import { ownTestServer, runOnce } from "../../storage-postgres/test/open-test-storage.ts";
import { makeFolder, runCommand } from "./run-command.ts";

test("the doctor tells of a database without tables, of a PostgreSQL user who may not use them, or only read them, and goes on", async () => {
  const { connectionString } = await ownTestServer();
  const secret = { SERVICE_SECRET_KEY: "a secret key of more than thirty-two characters" };
  const cwd = makeFolder();
  const own = { ...secret, SERVICE_DATABASE_URL: connectionString };
  const empty = await runCommand(["doctor"], { cwd, env: own });
  expect(JSON.parse(empty.stdout)).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ check: "database", state: "ok" }),
      expect.objectContaining({ check: "schema", state: "warning" }),
    ]),
  );
  expect((await runCommand(["migrate"], { cwd, env: own })).code).toBe(0);
  const grant = (text: string) => runOnce(connectionString, text);
  await grant("create role clerk login password 'clerk'");
  const url = new URL(connectionString);
  [url.username, url.password] = ["clerk", "clerk"];
  const diagnose = async () => {
    const env = { ...secret, SERVICE_DATABASE_URL: url.href };
    const { code, stdout, stderr } = await runCommand(["doctor"], { cwd, env });
    if (stdout === "") throw new Error(stderr);
    const findings = JSON.parse(stdout) as { check: string; found: string; advice?: string }[];
    expect(findings.map(({ check }) => check)).toContain("disk");
    return { code, of: (check: string) => findings.filter((one) => one.check === check) };
  };

  const barred = await diagnose();
  expect(barred.code).toBe(1);
  expect(barred.of("database")).toMatchObject([
    { state: "broken", found: expect.stringContaining("this user may not use it") },
  ]);
  expect(barred.of("rights")).toMatchObject([
    { state: "broken", found: expect.stringContaining("clerk"), advice: expect.stringContaining("grant ") },
  ]);
  await grant("grant usage on schema posthorn to clerk");
  await grant("grant select on all tables in schema posthorn to clerk");
  await grant("grant all on all sequences in schema posthorn to clerk");
  const reading = await diagnose();
  expect(reading.code).toBe(1);
  expect(reading.of("rights")).toMatchObject([{ state: "broken" }]);
  await grant("grant all on all tables in schema posthorn to clerk");
  await grant("revoke all on posthorn.facts from clerk");
  // As one that an update added.
  const lacking = await diagnose();
  expect(lacking.of("rights")).toMatchObject([
    { state: "broken", found: "the user clerk may not read and write facts" },
  ]);
  expect(lacking.of("database")).toMatchObject([{ state: "ok" }, { state: "broken" }]);
  await grant("grant all on posthorn.facts to clerk");
  expect((await diagnose()).of("rights")).toMatchObject([{ state: "ok" }]);
});
