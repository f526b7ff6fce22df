import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresStorage } from "@posthorn/storage-postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { placeOf } from "../../service/database/open-storage.ts";
import { loadConfig } from "./config.ts";
import { ignoredParameters } from "./postgres-url.ts";

function envFile(text: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "posthorn.env");
  writeFileSync(path, text);
  return path;
}

test("the service's environment file applies to all commands: below flags, above the shell's environment", () => {
  const path = envFile(`# for systemd\nSERVICE_PORT=81\nSERVICE_HOST="127.0.0.3"\nOTHER=1\n`);
  const { values, origins } = loadConfig(
    { envFile: path, host: "127.0.0.9" },
    { SERVICE_PORT: "82", SERVICE_LOG_LEVEL: "warn" },
    { log_level: "error" },
  );
  expect(values).toMatchObject({ port: 81, host: "127.0.0.9", log_level: "warn" });
  expect(origins).toMatchObject({ port: "env_file", host: "flag", log_level: "environment" });
});

test("a value in the file is plain, or a list of plain ones: an object is no text", () => {
  expect(loadConfig({}, {}, { trust_proxy: ["10.0.0.0/8", "192.0.2.1"] }).values.trust_proxy).toEqual([
    "10.0.0.0/8",
    "192.0.2.1",
  ]);
  for (const workspace of [{ name: "Shop" }, [{ name: "Shop" }], [null]])
    expect(() => loadConfig({}, {}, { workspace })).toThrow(
      "workspace in posthorn.config.json must be a text, a number, true or false, or a list of texts.",
    );
});

test("defaults trust no proxy, register by invitation only, and need no token for metrics", () => {
  const { values } = loadConfig({}, {}, {});
  expect(values).toMatchObject({ trust_proxy: false, registration: "invited", metrics_token: undefined });
  expect(values.cors_origins).toEqual([]);
});

test("CORS origins are accepted as browsers write them, and anything else is refused", () => {
  const read = (text: string) => loadConfig({}, { SERVICE_CORS_ORIGINS: text }, {}).values.cors_origins;
  expect(read("https://App.shop.example:443/, http://localhost:5173")).toEqual([
    "https://app.shop.example",
    "http://localhost:5173",
  ]);
  for (const wrong of ["*", "app.shop.example", "https://shop.example/app", "file:///app"])
    expect(() => read(wrong)).toThrow(
      "SERVICE_CORS_ORIGINS must be origins such as https://app.shop.example",
    );
});

test("refuses a bad environment file with its name and the error", () => {
  expect(() => loadConfig({ environmentFile: "/nowhere/x.env" }, {}, {})).toThrow(/x\.env .*no such file/);
  expect(() => loadConfig({ envFile: tmpdir() }, {}, {})).toThrow("it is a folder");
  expect(() => loadConfig({ envFile: envFile("export SERVICE_PORT=81") }, {}, {})).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/posthorn\.env can't be read: line 1 does not begin with NAME=/),
      hint: expect.stringContaining("without export"),
    }),
  );
  expect(() =>
    loadConfig(
      { envFile: envFile(Buffer.from("SERVICE_DEFAULT_SENDER=Grüße <a@b.example>", "latin1")) },
      {},
      {},
    ),
  ).toThrow(
    expect.objectContaining({
      message: expect.stringContaining("can't be read: it is not UTF-8 text."),
      hint: "Save it as UTF-8.",
    }),
  );
  expect(() => loadConfig({ envFile: envFile("SERVICE_PRT=1") }, {}, {})).toThrow(
    expect.objectContaining({
      message: expect.stringContaining("unknown setting SERVICE_PRT"),
      hint: "Did you mean SERVICE_PORT?",
    }),
  );
  expect(() => loadConfig({ envFile: envFile("SERVICE_PRT=1\nSERVICE_HOTS=a") }, {}, {})).toThrow(
    expect.objectContaining({
      message: expect.stringContaining("unknown settings: SERVICE_PRT, SERVICE_HOTS."),
      hint: "Did you mean SERVICE_PORT? Did you mean SERVICE_HOST?",
    }),
  );
  expect(() => loadConfig({ envFile: envFile("SERVICE_PROFILE=prod") }, {}, {})).toThrow(
    expect.objectContaining({
      message: expect.stringContaining("can't name a profile"),
      hint: expect.stringContaining("--profile"),
    }),
  );
  expect(() => loadConfig({ envFile: envFile("SERVICE_PORT=x") }, {}, {})).toThrow(
    /SERVICE_PORT in .*posthorn\.env must be a whole number/,
  );
});

test.each([
  ["SERVICE_WORKER_THREAD", "yes", "must be true or false"],
  ["SERVICE_WEBHOOK_ALLOW_PRIVATE", "on", "must be true or false"],
  // Other programs take a number for that of the proxies in front: the addresses before would be anybody's word.
  ["SERVICE_TRUST_PROXY", "1", "must be true, false, or addresses and CIDR ranges separated by commas"],
  ["SERVICE_TRUST_PROXY", "10", "must be true, false, or addresses and CIDR ranges separated by commas"],
  [
    "SERVICE_TRUST_PROXY",
    "10.0.0.0/33",
    "must be true, false, or addresses and CIDR ranges separated by commas",
  ],
  ["SERVICE_DKIM_KEYS", "ph1=a.pem,ed1=b.pem,ph1=c.pem", "names the selector ph1 more than once"],
  ["SERVICE_HOST", "[::1]", "must be an IP address, an IPv6 one without brackets, or a host name"],
  ["SERVICE_HOST", "256.1.1.1", "must be an IP address, an IPv6 one without brackets, or a host name"],
  ["SERVICE_HOST", "a b", "must be an IP address, an IPv6 one without brackets, or a host name"],
])("refuses %s=%s", (name, value, fault) => {
  expect(() => loadConfig({}, { [name]: value }, {})).toThrow(`${name} ${fault} (it is "${value}").`);
});

test.each(["0.0.0.0", "::", "fe80::1%eth0", "localhost", "mail-1.example.com", "box_2.local."])(
  "listens on %s",
  (host) => {
    expect(loadConfig({}, { SERVICE_HOST: host }, {}).values.host).toBe(host);
  },
);

test("reports a database URL whose password is not percent-encoded, without repeating it", () => {
  const read = (): unknown => loadConfig({}, { SERVICE_DATABASE_URL: "postgres://u:open#sesame@h/x" }, {});
  expect(read).toThrow("SERVICE_DATABASE_URL is not a valid URL: characters such as @");
  expect(read).not.toThrow("sesame");
});

test.each([
  "postgres://u:opensesame@a:5432,b:5432/mail?target_session_attrs=read-write",
  "postgres://a,b/mail",
  "postgres://u:opensesame@/mail?host=a,b",
])("says of a database URL with several hosts that there is one: %s", (value) => {
  const read = (): unknown => loadConfig({}, { SERVICE_DATABASE_URL: value }, {});
  expect(read).toThrow("SERVICE_DATABASE_URL names several hosts, but connections go to one");
  expect(read).not.toThrow("opensesame");
});

test.each([
  ["schema=shop", 'names a schema, but the tables are always in the schema "posthorn"'],
  ["options=-c%20search_path%3Dshop", 'names a schema, but the tables are always in the schema "posthorn"'],
  ["target_session_attrs=standby", "asks for a standby, which takes no writes"],
  ["service=mail", "has service, but pg_service.conf is not read: name the host"],
  ["passfile=/etc/pass", "has passfile, but only PGPASSFILE names the file of passwords"],
  ["sslkey=k.pem&sslpassword=x", "has sslpassword, but the key's file can't be encrypted"],
  ["sslcrl=revoked.pem", "has sslcrl, but no list of revoked certificates is read"],
  ["require_auth=scram-sha-256", "has require_auth, but the server chooses how it asks for the password"],
  ["hostaddr=10.0.0.7", "has hostaddr, but connections go to the host: name the address in its place"],
  ["sslmode=verify-full&sslrootcert=system", "has sslrootcert=system, but it must be a file: leave it out"],
  ["sslmode=verify_full", "has an unknown sslmode: it must be disable, prefer, require, "],
])("refuses a database URL with ?%s, which connections would ignore", (parameter, fault) => {
  for (const name of ["SERVICE_DATABASE_URL", "SERVICE_DATABASE_LISTEN_URL"]) {
    const variables = { [name]: `postgres://u:opensesame@db/mail?${parameter}` };
    const read = (): unknown => loadConfig({}, variables, {});
    expect(read).toThrow(`${name} ${fault}`);
    expect(read).not.toThrow("opensesame");
  }
});

test("what the command refuses of a URL as ignored, the storage refuses too", async () => {
  for (const name of Object.keys(ignoredParameters))
    for (const option of ["connectionString", "listenConnectionString"]) {
      const urls = { connectionString: "postgres://127.0.0.1:1/mail" };
      const opening = createPostgresStorage({
        ...urls,
        [option]: `postgres://u:opensesame@127.0.0.1:1/mail?${name}=x`,
      });
      await expect(opening).rejects.toThrow(`${option} has ${name}, which pg ignores`);
    }
});

test.each([
  "postgres://u@db/mail?sslmode=verify-full&channel_binding=require&application_name=mail",
  "postgres://u@db/mail?uselibpqcompat=true&sslmode=require",
  "postgres://u@db/mail?schema=posthorn&target_session_attrs=read-write&options=-c%20work_mem%3D8MB",
])("takes a database URL with other parameters: %s", (url) => {
  expect(loadConfig({}, { SERVICE_DATABASE_URL: url }, {}).values.database_url).toBe(url);
});

test.each(["prefer", "require", "verify-ca"])(
  "checks the database's certificate at sslmode=%s, as pg does, which warned of it at each command",
  (mode) => {
    const read = (more: string): unknown =>
      loadConfig({}, { SERVICE_DATABASE_URL: `postgres://u@db/mail?${more}` }, {}).values.database_url;
    expect(read(`sslmode=${mode}`)).toBe("postgres://u@db/mail?sslmode=verify-full");
    expect(read(`a=b&sslmode=${mode}&c=d`)).toBe("postgres://u@db/mail?a=b&sslmode=verify-full&c=d");
  },
);

test("takes a database URL whose host is a socket's folder", () => {
  const url = "postgres://u:p,w@/mail?host=/run/postgresql";
  expect(loadConfig({}, { SERVICE_DATABASE_URL: url }, {}).values.database_url).toBe(url);
  expect(placeOf(url)).toBe('The database "mail" at /run/postgresql');
  expect(placeOf(`${url}&port=5433`)).toBe('The database "mail" at /run/postgresql:5433');
  expect(placeOf("postgres://u@%2Frun%2Fpostgresql:5433/mail")).toBe(
    'The database "mail" at /run/postgresql:5433',
  );
});

test("of a database URL that leaves out the host or the port, the place is the one to which pg connects", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const hostless = ["postgres:///mail", "postgres://u:p@/mail"];
  vi.stubEnv("PGHOST", undefined);
  vi.stubEnv("PGPORT", undefined);
  for (const url of hostless) expect(placeOf(url)).toBe('The database "mail" at localhost');
  expect(placeOf("postgres://localhost/my%20mail")).toBe('The database "my mail" at localhost');
  expect(placeOf("postgres://localhost/50%")).toBe('The database "50%" at localhost');
  vi.stubEnv("PGHOST", "db.example");
  vi.stubEnv("PGPORT", "5433");
  for (const url of hostless) expect(placeOf(url)).toBe('The database "mail" at db.example:5433');
  expect(placeOf("postgres://other/mail")).toBe('The database "mail" at other:5433');
  expect(placeOf("postgres://other:7/mail")).toBe('The database "mail" at other:7');
});

test.each([
  "postgre://u:opensesame@db.example/mail",
  "u:opensesame@db.example/mail",
  "postgres:opensesame",
  "sqlite:",
  "mysql://u:opensesame@h/x",
])("does not repeat an invalid database URL, which may hold a password: %s", (url) => {
  const read = (): unknown => loadConfig({}, { SERVICE_DATABASE_URL: url }, {});
  expect(read).toThrow(
    "SERVICE_DATABASE_URL must be sqlite:FILE, or begin with postgres:// or postgresql://",
  );
  expect(read).not.toThrow("opensesame");
});

test("a SQLite file behind two slashes, which would be one of the root folder, is refused", () => {
  const read = (url: string): unknown =>
    loadConfig({}, { SERVICE_DATABASE_URL: url }, {}).values.database_url;
  expect(() => read("sqlite://mail.db")).toThrow(
    "SERVICE_DATABASE_URL must be sqlite:mail.db for a file in the current folder",
  );
  for (const url of ["sqlite:mail.db", "sqlite:./mail.db", "sqlite:/data/mail.db", "sqlite:///data/mail.db"])
    expect(read(url)).toBe(url);
});

test.each([
  [{ port: "8o80" }, {}, "--port 8080"],
  [{}, { SERVICE_PORT: "8o80" }, "SERVICE_PORT=8080"],
  [{ databaseUrl: "mysql://a/mail" }, {}, "--database-url sqlite:./posthorn.db"],
  [{ databaseUrl: "postgres://a,b/mail" }, {}, "--database-url postgres://posthorn@db.example.com:5432/mail"],
])("a bad value's example is of its kind, and written as the value was: %j, %j", (flags, env, example) => {
  const hint = `An example: ${example}`;
  expect(() => loadConfig(flags, env, {})).toThrow(expect.objectContaining({ hint }));
});
