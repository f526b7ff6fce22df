import { buffer } from "node:stream/consumers";
import { createWorld } from "@posthorn/core/testing";
import pg from "pg";
import { expect, test } from "vitest";
import { takeTestSchema, unhurried } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";

const addresses = Array.from({ length: 300 }, (_, place) => `p${place}@example.com`).join("\n");

test.each([1, 2, 3].flatMap((max) => [false, true].map((isHosts) => ({ max, isHosts }))))(
  "changes, sends, lists and long calls at once are all answered: $max connections, a host's: $isHosts",
  async ({ max, isHosts }) => {
    const { connectionString, schema, giveBack } = await takeTestSchema();
    const pool = isHosts ? new pg.Pool({ connectionString, max }) : undefined;
    const given = pool === undefined ? { connectionString, max } : { pool };
    const storage = await createPostgresStorage({ ...given, schema, timeouts: unhurried });
    const { posthorn, addWorkspace, close } = await createWorld(storage);
    const workspaces = [await addWorkspace(), await addWorkspace()];
    const calls = Array.from({ length: 4 }, (_, round) =>
      workspaces.flatMap(({ id: workspaceId, asOwner, owner }) => [
        posthorn.templates.create({ name: `t${round}`, subject: "S", text: "T" }, asOwner),
        posthorn.users.updateMe({ name: `Ada ${round}` }, { as: owner }),
        posthorn.emails.send({ subject: "S", text: "T", to: ["ada@example.com"] }, { workspaceId }),
        posthorn.emails.list({}, { workspaceId }),
        posthorn.suppressions.import({ content: Buffer.from(`email\n${addresses}`) }, asOwner),
        posthorn.suppressions.export({}, asOwner).then(({ content }) => buffer(content)),
      ]),
    ).flat();
    expect(await Promise.all(calls)).toHaveLength(48);
    await close();
    await pool?.end();
    await giveBack();
  },
);
