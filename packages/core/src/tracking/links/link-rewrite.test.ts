import { expect, test } from "vitest";
import { createLinkRewrite } from "./link-rewrite.ts";

const trackingTokens = { make: (subject: object) => `token ${JSON.stringify(subject)}` };
const all = { row: 7, position: 0, opens: true, clicks: true, trap: false };
const create = (fields = {}, baseUrl = "https://mail.example", trackingDomain?: string) =>
  createLinkRewrite(
    { trackingTokens, config: { baseUrl, trackingHost: "links.mail.example" } },
    { ...all, ...fields },
    trackingDomain,
  );

test("numbers the links, and leaves other schemes and its own unsubscribe links", () => {
  const rewrite = create({}, "https://mail.example/post");
  const linkOf = (url: string) => /"link":(\d+)/.exec(rewrite.replace(new URL(url), 5) ?? "")?.[1];
  const urls = [
    "https://a.example/",
    "mailto:a@b.example",
    "https://mail.example/post/u/v1.token",
    "https://MAIL.example:443/post/u/v1.token",
    "https://mail.example/u/other",
    "http://a.example/",
  ];
  expect(urls.map(linkOf)).toEqual(["5", undefined, undefined, undefined, "5", "5"]);
});

test.each([
  ["https://mail.example", undefined, "https://mail.example"],
  ["https://mail.example/post", undefined, "https://mail.example/post"],
  ["https://mail.example/post", "t.shop.example", "https://t.shop.example/post"],
  ["http://mail.example:8080", "t.shop.example", "http://t.shop.example"],
])("base %s with the tracking host %s is %s", (baseUrl, domain, base) => {
  const rewrite = create({}, baseUrl, domain);
  expect(rewrite.replace(new URL("https://a.example/"), 0)?.startsWith(`${base}/c/token `)).toBe(true);
  expect(rewrite.ending.startsWith(`<img src="${base}/o/token `)).toBe(true);
});

test("clicks that are not tracked stay, and opens that are not need no image", () => {
  const rewrite = create({ opens: false, clicks: false });
  expect([rewrite.replace(new URL("https://a.example/"), 0), rewrite.ending]).toEqual([undefined, ""]);
});

test("a link longer than a proxy takes in a redirect stays as written", () => {
  const rewrite = create();
  const replaced = (length: number) => rewrite.replace(new URL("https://a.example/".padEnd(length, "x")), 0);
  expect([replaced(3_500) === undefined, replaced(3_501) === undefined]).toEqual([false, true]);
});
