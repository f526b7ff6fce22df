import { describe, expect, test } from "vitest";
import { clientAddressOf, createProxyCheck } from "./client-address.ts";

describe("the client's address", () => {
  test.each([
    ["nobody is trusted", undefined, "10.0.0.1", "1.2.3.4", "10.0.0.1"],
    ["one proxy in front", true, "10.0.0.1", "6.6.6.6, 1.2.3.4", "1.2.3.4"],
    ["one proxy in front, nothing forwarded", true, "10.0.0.1", undefined, "10.0.0.1"],
    ["the peer is in the range", ["10.0.0.0/8"], "10.0.0.1", "6.6.6.6, 1.2.3.4, 10.9.9.9", "1.2.3.4"],
    ["the peer is not in the range", ["10.0.0.0/8"], "192.0.2.1", "1.2.3.4", "192.0.2.1"],
    ["all hops are proxies", ["10.0.0.0/8"], "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["a hop is no address", ["10.0.0.0/8"], "10.0.0.1", "1.2.3.4, <script>", "10.0.0.1"],
    ["a hop has a port", true, "10.0.0.1", "6.6.6.6, 1.2.3.4:5678", "1.2.3.4"],
    ["a hop is IPv6 with a port", true, "10.0.0.1", "[2001:db8::1]:99", "2001:db8::1"],
    ["a hop is IPv6 in brackets", true, "10.0.0.1", "[2001:db8::1]", "2001:db8::1"],
    ["a proxy's hop has a port", ["10.0.0.0/8"], "10.0.0.1", "1.2.3.4, 10.0.0.2:443", "1.2.3.4"],
    ["a hop's port is none", true, "10.0.0.1", "1.2.3.4:http", "10.0.0.1"],
    ["a mapped peer", ["10.0.0.0/8"], "::ffff:10.0.0.1", "2001:db8::1", "2001:db8::1"],
    ["a single IPv6 proxy", ["::1"], "::1", "1.2.3.4", "1.2.3.4"],
    ["a Unix socket, nobody trusted", undefined, undefined, "1.2.3.4", "unknown"],
    ["a Unix socket's proxy", true, undefined, "1.2.3.4", "1.2.3.4"],
    ["a Unix socket and ranges", ["::1"], undefined, "1.2.3.4", "unknown"],
  ] as const)("if %s", (_, trustProxy, peer, forwarded, expected) => {
    expect(clientAddressOf(peer, forwarded, createProxyCheck(trustProxy))).toBe(expected);
  });

  test.each(["proxy.example", "10.0.0.0/33", "10.0.0.0/x", "::1/129", ""])(
    "refuses the range %j",
    (range) => {
      expect(() => createProxyCheck([range])).toThrow(TypeError);
    },
  );
});
