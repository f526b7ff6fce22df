import { expect, test } from "vitest";
import { useDevServer } from "../../commands/dev/dev-settings.ts";
import { loadConfig } from "./config.ts";
import { findUnknownSettings } from "./unknown-settings.ts";

test.each([
  ["SERVICE_SMTP_ULR", "Did you mean SERVICE_SMTP_URL?"],
  ["SERVICE_DATABASEURL", "Did you mean SERVICE_DATABASE_URL?"],
  ["SERVICE_PRT", "Did you mean SERVICE_PORT?"],
  ["SERVICE_MESH_ENABLED", "See the settings that there are: posthorn config show --origin"],
])("warns of %s in the environment, and names the intended setting", (name, hint) => {
  expect(findUnknownSettings(loadConfig({}, {}, {}), { [name]: "x" })).toEqual([
    { fault: `${name} in the environment is no setting, and is ignored`, hint },
  ]);
});

test("ignores known names, the profile, empty values and other programs' names", () => {
  expect(
    findUnknownSettings(loadConfig({}, {}, {}), {
      SERVICE_PORT: "1",
      SERVICE_PROFILE: "prod",
      SERVICE_X: "",
      MY_SERVICE_PRT: "1",
    }),
  ).toEqual([]);
});

test("warns of a setting without its prefix, unless it has a value or other programs use the name", () => {
  const variables = { SMTP_URL: "x", POSTHORN_DATABASE_URL: "x", SECRET_KEY_FILE: "x", BASE_URL: "x" };
  const others = {
    HOST: "x",
    PORT: "1",
    POSTHORN_PORT: "tcp://10.0.0.1:80",
    METRICS_PORT: "1",
    LOG_LEVEL: "",
  };
  const config = loadConfig({ baseUrl: "https://mail.example.com" }, { ...variables, ...others }, {});
  expect(findUnknownSettings(config, { ...variables, ...others })).toEqual([
    { fault: "SMTP_URL in the environment is ignored", hint: "The setting is called SERVICE_SMTP_URL." },
    {
      fault: "POSTHORN_DATABASE_URL in the environment is ignored",
      hint: "The setting is called SERVICE_DATABASE_URL.",
    },
    {
      fault: "SECRET_KEY_FILE in the environment is ignored",
      hint: "The setting is called SERVICE_SECRET_KEY_FILE.",
    },
  ]);
});

test("takes names without the prefix for the application's beside a development server", () => {
  const config = loadConfig({}, {}, {});
  useDevServer(config);
  const variables = { DATABASE_URL: "postgres://db/shop", LOG_LEVEL: "debug", SERVICE_PRT: "1" };
  expect(findUnknownSettings(config, variables).map(({ hint }) => hint)).toEqual([
    "Did you mean SERVICE_PORT?",
  ]);
  expect(config.origins).toMatchObject({ database_url: "dev", smtp_url: "dev", port: "default" });
});
