import { expect, test } from "vitest";
import { networkOf } from "./network-of.ts";

test.each([
  ["192.0.2.7", "192.0.2.0/24"],
  ["::ffff:192.0.2.7", "192.0.2.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["::1", "::/48"],
  ["", undefined],
  ["unknown", undefined],
])("%s is of %s", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
