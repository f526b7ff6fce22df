import { expect, test } from "vitest";
import { writeRecords } from "./record-forms.ts";

type DomainRecord = Parameters<typeof writeRecords>[0][number];

const record = (over: Partial<DomainRecord>): DomainRecord => ({
  purpose: "ownership",
  type: "TXT",
  name: "_posthorn.shop.example",
  value: "posthorn-verification=abc",
  ttl: 3600,
  priority: null,
  status: "unchecked",
  found: [],
  ...over,
});
const key = `v=DKIM1; k=rsa; p=${"A".repeat(300)}`;
const records = [
  record({}),
  record({ purpose: "dkim", name: "ph1._domainkey.shop.example", value: key }),
  record({ purpose: "dkim", name: "ph0._domainkey.shop.example", status: "removable" }),
  record({
    purpose: "return_path",
    type: "MX",
    name: "bounces.shop.example",
    value: "in.example",
    priority: 10,
  }),
  record({ purpose: "tracking", type: "CNAME", name: "tracking.shop.example", value: "links.example" }),
  record({
    purpose: "tracking",
    type: "CNAME",
    name: "other.shop.example",
    value: "links.example",
    found: ["192.0.2.1"],
  }),
  record({ purpose: "spf", name: "shop.example", value: "v=spf1 ~all", found: ["v=spf1 mx ~all"] }),
  record({ purpose: "dmarc", name: "_dmarc.shop.example", value: "v=DMARC1; p=none" }),
];
const [head, tail] = [key.slice(0, 255), key.slice(255)];

test("a zone file splits strings at 255 characters, and omits removable records, a second SPF record, and a CNAME beside an address", () => {
  expect(writeRecords(records, "zone").split("\n")).toEqual([
    '_posthorn.shop.example. 3600 IN TXT "posthorn-verification=abc"',
    `ph1._domainkey.shop.example. 3600 IN TXT "${head}" "${tail}"`,
    "bounces.shop.example. 3600 IN MX 10 in.example.",
    "tracking.shop.example. 3600 IN CNAME links.example.",
    '_dmarc.shop.example. 3600 IN TXT "v=DMARC1; p=none"',
  ]);
});

test("Terraform's records for Route 53 join strings as Route 53 requires", () => {
  const text = writeRecords(records, "terraform");
  expect(text).toContain('resource "aws_route53_record" "txt_posthorn_shop_example" {');
  expect(text).toContain(`records = ["${head}\\"\\"${tail}"]`);
  expect(text).toContain('"mx_bounces_shop_example" {');
  expect(text).toContain('records = ["10 in.example"]');
  expect(text).toContain('"cname_tracking_shop_example" {');
  expect(text).toContain('records = ["links.example"]');
  expect(text.match(/^resource/gm)).toHaveLength(5);
});

test("Cloudflare's request body holds the records to add", () => {
  expect(JSON.parse(writeRecords(records, "cloudflare")).posts[1]).toEqual({
    type: "TXT",
    name: "ph1._domainkey.shop.example",
    content: `"${head}" "${tail}"`,
    ttl: 3600,
  });
  expect(JSON.parse(writeRecords(records, "cloudflare")).posts[2]).toEqual({
    type: "MX",
    name: "bounces.shop.example",
    content: "in.example",
    priority: 10,
    ttl: 3600,
  });
  expect(JSON.parse(writeRecords(records, "cloudflare")).posts[3]).toEqual({
    type: "CNAME",
    name: "tracking.shop.example",
    content: "links.example",
    ttl: 3600,
  });
});
