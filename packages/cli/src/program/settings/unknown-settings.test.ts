import { expect, test } from "vitest";
import { findUnknownSettings } from "./unknown-settings.ts";

test.each([
  ["SERVICE_SMTP_ULR", "Did you mean SERVICE_SMTP_URL?"],
  ["SERVICE_DATABASEURL", "Did you mean SERVICE_DATABASE_URL?"],
  ["SERVICE_PRT", "Did you mean SERVICE_PORT?"],
  ["SERVICE_MESH_ENABLED", "See the settings that there are: posthorn config show --origin"],
])("warns of %s in the environment, and names the intended setting", (name, hint) => {
  expect(findUnknownSettings({ [name]: "x" })).toEqual([
    { fault: `${name} in the environment is no setting, and is ignored`, hint },
  ]);
});

test("ignores known names, the profile, empty values and other programs' names", () => {
  expect(
    findUnknownSettings({ SERVICE_PORT: "1", SERVICE_PROFILE: "prod", SERVICE_X: "", MY_SERVICE_PRT: "1" }),
  ).toEqual([]);
});
