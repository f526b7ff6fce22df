import { describe, expect, test } from "vitest";
import { parseSmtpUrl } from "./parse-smtp-url.ts";

describe("parseSmtpUrl", () => {
  test.each([
    [
      "smtp://mail.example",
      { host: "mail.example", port: 25, security: "opportunistic", checksCertificate: false },
    ],
    [
      "smtp://ann:x@mail.example",
      { port: 587, security: "starttls", username: "ann", password: "x", checksCertificate: true },
    ],
    ["smtps://mail.example", { port: 465, security: "tls", checksCertificate: true }],
    ["smtp://mail.example?security=tls", { port: 465, security: "tls" }],
    ["smtp://ann:x@localhost:1025", { port: 1025, security: "opportunistic", checksCertificate: true }],
    ["smtp://[::1]:2525/?security=none", { host: "::1", port: 2525, security: "none" }],
    ["smtp://a%40b.example:p%2Fw%23@mail.example", { username: "a@b.example", password: "p/w#" }],
    [
      "smtps://mail.example?insecure_tls=true&name=me.example",
      { checksCertificate: false, clientName: "me.example" },
    ],
  ])("reads %s", (url, server) => {
    expect(parseSmtpUrl(url).server).toMatchObject(server);
  });

  test("reads the number of connections", () => {
    expect(parseSmtpUrl("smtp://mail.example?connections=8").connections).toBe(8);
    expect(parseSmtpUrl("smtp://mail.example")).not.toHaveProperty("connections");
  });

  test.each([
    ["mail.example", /can't be read/],
    ["smtp://ann:sesame@mail.example:99999", /can't be read/],
    ["http://ann:sesame@mail.example", /http:\/\/ instead of smtp/],
    ["smtp://", /no valid host/],
    ["smtp://ann:sesame@mail.example/inbox", /path/],
    ["smtp://ann:sesame@mail.example:0", /port 0/],
    ["smtp://:sesame@mail.example", /without a user name/],
    ["smtp://ann:sesame%@mail.example", /% that begins no escape/],
    ["smtp://ann:sesame%0d%0a@mail.example", /line break/],
    ["smtp://ann:sesame@mail.example?pool=8", /unknown parameter "pool"/],
    ["smtp://ann:sesame@mail.example?connections=0", /from 1 to 100/],
    ["smtp://ann:sesame@mail.example?security=ssl", /none, opportunistic, starttls, tls/],
    ["smtps://ann:sesame@mail.example?security=none", /smtps and for security=none/],
    ["smtp://ann:sesame@mail.example?insecure_tls=yes", /neither true nor false/],
    ["smtp://ann:sesame@mail.example?name=a%20b", /name is not a host name/],
    ["smtp://ann:sesame@mail.example#x", /%23/],
  ])("refuses %s, naming the fault and never the password", (url, words) => {
    let fault: unknown;
    try {
      parseSmtpUrl(url);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(TypeError);
    expect(String(fault)).toMatch(words);
    expect(String(fault)).not.toContain("sesame");
  });
});
