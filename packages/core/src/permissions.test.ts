import { expect, test } from "vitest";
import { allows, type Permission, permissions } from "./permissions.ts";

/** The permissions as a table for review (decisions §3). A change here changes what roles may do. */
test("the permission matrix", () => {
  const lines = (Object.keys(permissions) as Permission[]).map((permission) => {
    const marks = (["owner", "admin", "editor", "viewer"] as const).map((role) =>
      allows(role, permission) ? "●" : "·",
    );
    return `${marks.join(" ")}  ${permission}`;
  });
  expect(`o a e v\n${lines.join("\n")}`).toMatchInlineSnapshot(`
    "o a e v
    ● ● ● ●  workspace:read
    ● ● · ·  workspace:update
    ● · · ·  workspace:delete
    ● · · ·  workspace:transfer
    ● ● ● ●  members:read
    ● ● · ·  members:write
    ● ● ● ●  members:remove
    ● ● · ·  invitations:read
    ● ● · ·  invitations:write
    ● ● ● ●  templates:read
    ● ● ● ·  templates:write
    ● ● ● ·  templates:preview
    ● ● ● ●  stylesheets:read
    ● ● ● ·  stylesheets:write
    ● ● ● ●  settings:read
    ● ● · ·  settings:write
    ● ● ● ●  plan:read
    ● ● ● ●  emails:read
    ● ● ● ·  emails:write
    ● ● ● ·  emails:test
    ● ● ● ●  campaigns:read
    ● ● ● ·  campaigns:write
    ● ● ● ·  emails:content
    ● ● ● ●  suppressions:read
    ● ● ● ·  suppressions:write
    ● ● · ·  suppressions:release
    ● ● · ·  recipients:export
    ● ● · ·  recipients:erase
    ● ● ● ●  domains:read
    ● ● · ·  domains:write
    ● ● · ·  inbound:write
    ● ● ● ●  smtp_servers:read
    ● ● · ·  smtp_servers:write
    ● ● ● ●  webhooks:read
    ● ● · ·  webhooks:write
    ● ● ● ●  api_keys:read
    ● ● · ·  api_keys:write
    ● ● · ·  audit_log:read"
  `);
});
