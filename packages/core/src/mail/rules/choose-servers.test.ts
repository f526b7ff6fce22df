import { expect, test } from "vitest";
import { type ChoosableServer, chooseServers, type ServerRequirements } from "./choose-servers.ts";

const server = (row: number, over: Partial<ChoosableServer> = {}): ChoosableServer => ({
  row,
  id: `id-${row}`,
  username: "",
  fromDomains: [],
  isDefault: false,
  priority: 50,
  ...over,
});

const choose = (
  servers: ChoosableServer[],
  wish: Partial<ServerRequirements> = {},
): (number | "platform")[] =>
  chooseServers(servers, {
    domain: "shop.example",
    pinned: undefined,
    platformServer: true,
    ownServersOnly: false,
    isSigned: false,
    ...wish,
  }).map((one) => (one === "platform" ? one : one.row));

const shop = { fromDomains: ["shop.example"] };
const beneath = { fromDomains: [".shop.example"] };

test("servers for the domain are ordered by priority; equal ones by naming it before accepting any", () => {
  const servers = [server(1), server(2, shop), server(3, { ...shop, priority: 49 }), server(4, shop)];
  expect(choose(servers)).toEqual([3, 2, 4, 1]);
  expect(choose(servers, { domain: "other.example" })).toEqual([1]);
});

test("a leading dot includes subdomains, but not the domain itself", () => {
  const servers = [server(1, beneath), server(2, shop)];
  expect(choose(servers, { domain: "mail.shop.example" })).toEqual([1]);
  expect(choose(servers)).toEqual([2]);
  expect(choose(servers, { domain: "notshop.example" })).toEqual(["platform"]);
});

test("a default server accepts domains that no server names, before the operator's server", () => {
  const servers = [server(1, { ...shop, isDefault: true })];
  expect(choose(servers, { domain: "other.example" })).toEqual([1]);
  expect(choose([server(1, shop)], { domain: "other.example" })).toEqual(["platform"]);
  expect(choose([server(1, shop)], { domain: "other.example", platformServer: false })).toEqual([]);
});

test("fails over only to a server for its domain, or anywhere under our signature: otherwise DMARC would fail", () => {
  const servers = [server(1, shop), server(2, { fromDomains: ["b.example"], isDefault: true })];
  expect(choose(servers)).toEqual([1]);
  expect(choose(servers, { isSigned: true })).toEqual([1, 2, "platform"]);
  expect(choose(servers, { isSigned: true, platformServer: false })).toEqual([1, 2]);
});

test("a pinned server is the only one; a deleted one is ignored", () => {
  const servers = [server(1, shop), server(2)];
  expect(choose(servers, { pinned: "id-2" })).toEqual([2]);
  expect(choose(servers, { pinned: "gone" })).toEqual([1, 2]);
});

test("where only own servers may be used, those with a login are the only ones, by the same order", () => {
  const login = { username: "shop" };
  const own = { ownServersOnly: true };
  expect(choose([server(1, shop)], own)).toEqual([]);
  expect(choose([], own)).toEqual([]);
  expect(choose([server(1, shop), server(2, { ...shop, ...login }), server(3, login)], own)).toEqual([2, 3]);
  // One that is passed over decides nothing about the others.
  const fallback = server(2, { fromDomains: ["b.example"], isDefault: true, ...login });
  expect(choose([server(1, shop), fallback], own)).toEqual([2]);
  expect(choose([server(1, login), server(2, login)], { ...own, isSigned: true })).toEqual([1, 2]);
  expect(choose([server(1, shop), server(2, login)], { ...own, pinned: "id-1" })).toEqual([]);
  expect(choose([server(1, shop), server(2, login)], { ...own, pinned: "id-2" })).toEqual([2]);
});
