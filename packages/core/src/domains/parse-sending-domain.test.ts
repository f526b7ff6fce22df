import { expect, test } from "vitest";
import { isPublicName, parseSendingDomain } from "./parse-sending-domain.ts";

test.each([
  ["Shop.Example.", "shop.example", "shop.example"],
  ["a.mail.shop.co.uk", "a.mail.shop.co.uk", "shop.co.uk"],
  ["bücher.de", "xn--bcher-kva.de", "xn--bcher-kva.de"],
  ["x.ada.github.io", "x.ada.github.io", "ada.github.io"],
])("reads %s", async (text, name, organisation) => {
  expect(await parseSendingDomain(text, false)).toEqual({ name, organisation });
});

test.each([
  ["co.uk", false],
  ["github.io", false],
  ["corp.internal", false],
  ["printer.local", false],
  ["10.in-addr.arpa", false],
  ["localhost", true],
  ["192.0.2.1", true],
  ["[::1]", true],
  ["a..b.de", true],
  ["_a.shop.de", true],
  ["shop.de\r\nx", true],
  [`${"a.".repeat(10)}de`, true],
  [`${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.de`, true],
])("refuses %s", async (text, isRegistrable) => {
  expect(await parseSendingDomain(text, false)).toEqual({ fault: expect.any(String), isRegistrable });
});

test("names of a private network are accepted if the operator allows private targets; public suffixes never", async () => {
  expect(await parseSendingDomain("mail.corp.internal", true)).toMatchObject({ name: "mail.corp.internal" });
  expect(await parseSendingDomain("co.uk", true)).toMatchObject({ isRegistrable: false });
});

test("recognises names that can be resolved publicly", async () => {
  const names = ["_spf.google.com", "x.corp.internal", "%{d}.a.com"];
  expect(await Promise.all(names.map(isPublicName))).toEqual([true, false, false]);
});
