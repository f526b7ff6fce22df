import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type SettingValues, settings } from "../../program/settings/settings.ts";
import { readDkimKeys } from "../../service/secrets/read-dkim-keys.ts";
import { checkDkim } from "./check-dkim.ts";

const folder = mkdtempSync(join(tmpdir(), "posthorn-dkim-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "ed.pem");
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }));
writeFileSync(join(folder, "none.pem"), "nothing");
const record = `v=DKIM1; k=ed25519; p=${publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("base64")}`;

const defaults = Object.fromEntries(Object.entries(settings).map(([name, { fallback }]) => [name, fallback]));
const valuesOf = (domain: string | undefined, keys: string | undefined): SettingValues => ({
  ...(defaults as SettingValues),
  dkim_domain: domain,
  dkim_keys: keys === undefined ? undefined : settings.dkim_keys.read(keys),
});
const refusing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

test.each([
  [
    "published, in pieces and with another beside it",
    async () => [["v=spf1"], [record.slice(0, 20), record.slice(20)]],
    "ok",
  ],
  ["another key", async () => [[record.replace(/p=.{4}/, "p=AAAA")]], "broken"],
  ["nothing", refusing("ENOTFOUND"), "broken"],
  ["no answer", refusing("ETIMEOUT"), "warning"],
])("the doctor compares a key with its published record: %s", async (_, lookUp, state) => {
  const names: string[] = [];
  const [finding] = await checkDkim(valuesOf("example.org", `ed1=${file}`), (name) => {
    names.push(name);
    return lookUp();
  });
  expect(names).toEqual(["ed1._domainkey.example.org"]);
  expect(finding?.state).toBe(state);
  if (state !== "ok") expect(finding?.advice).toContain(record);
});

test("reports nothing without a key", async () => {
  expect(await checkDkim(valuesOf(undefined, undefined), refusing("ENOTFOUND"))).toEqual([]);
});

test.each([
  ["example.org", undefined, /^SERVICE_DKIM_KEYS is not set/],
  [undefined, `ed1=${file}`, /^SERVICE_DKIM_DOMAIN is not set/],
  ["example.org\u560d\u560aX: y", `ed1=${file}`, /^SERVICE_DKIM_DOMAIN: .* is not a domain name/],
  ["example.org", `e_d=${file}`, /^SERVICE_DKIM_KEYS: e_d is not a name/],
  ["example.org", `ed1=${join(folder, "gone.pem")}`, /^SERVICE_DKIM_KEYS: .*gone\.pem can't be read/],
  [
    "example.org",
    `ed1=${join(folder, "none.pem")}`,
    /^SERVICE_DKIM_KEYS: .*none\.pem is no private key in PEM/,
  ],
])("reports a setting that signs nothing by its name (%#)", async (domain, keys, message) => {
  const values = valuesOf(domain, keys);
  await expect(readDkimKeys(values)).rejects.toThrow(message);
  expect(await checkDkim(values, refusing("ENOTFOUND"))).toMatchObject([{ state: "broken" }]);
});

test.each(["", "ed1", "=file", "ed1=", "a=b,"])("refuses %j as a list of keys", (text) => {
  expect(() => settings.dkim_keys.read(text)).toThrow(/must be SELECTOR=FILE/);
});
