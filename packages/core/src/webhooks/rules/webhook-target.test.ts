import { describe, expect, test } from "vitest";
import { checkTargetUrl } from "./webhook-target.ts";

describe("checkTargetUrl", () => {
  test.each([`${"a".repeat(64)}.example`, "a..example", ".example", `${"a.".repeat(124)}example`])(
    "a host %s, which no name server could answer for, is refused wherever it may lead",
    (host) => {
      for (const allowPrivate of [true, false])
        expect(checkTargetUrl(`https://${host}/`, allowPrivate)).toMatch(/^has a host that no DNS can know/);
    },
  );

  test("a host with labels of 63 characters and a dot at its end is accepted", () => {
    expect(checkTargetUrl(`https://${"a".repeat(63)}.example./`, false)).toBeUndefined();
  });

  test.each([
    "https://hooks.example.com/a?b=c",
    "https://example.com:8443/",
    "https://8.8.8.8/",
    "https://[2606:4700::1]/",
    "https://bücher.example/",
  ])("accepts %s", (url) => {
    expect(checkTargetUrl(url, false)).toBeUndefined();
  });

  test.each([
    "",
    "example.com",
    "//example.com",
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:1",
    "https:example.com/",
    "https:/example.com/",
    "https://",
    "https://u:p@example.com/",
    "https://u@example.com/",
    "https://@example.com/",
    "https://example.com\\@evil.com/",
    "https://exa\nmple.com/",
    " https://example.com/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://a.localhost/",
    "https://metadata.google.internal/",
    "https://printer.local/",
    "https://intranet/",
    "https://ｌocalhost/",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://0177.0.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://①②⑦.⓪.⓪.①/",
    "https://127。0。0。1/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::7f00:1]/",
    "https://[::127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b:1::1]/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1]/",
    "https://169.254.169.254/",
    "https://100.100.100.200/",
    "https://192.0.0.192/",
    "https://10.0.0.1/",
    "https://0.0.0.0/",
    "https://example.com:22/",
    "https://example.com:80/",
    "https://example.com:25/",
    "https://example.com:465/",
    "https://example.com:5432/",
    "https://example.com:6379/",
    "https://example.com:0/",
    `https://example.com/${"a".repeat(2_048)}`,
  ])("refuses %j", (url) => expect(checkTargetUrl(url, false)).toMatch(/^must /));

  test.each(["http://example.com/", "https://127.0.0.1/", "https://localhost/", "https://example.com:25/"])(
    "says of %s that a setting permits it",
    (url) => expect(checkTargetUrl(url, false)).toContain("SERVICE_WEBHOOK_ALLOW_PRIVATE"),
  );

  test("allowPrivate permits plain HTTP, private hosts and any port, nothing else", () => {
    for (const url of ["http://127.0.0.1:9/", "http://localhost/", "https://[::1]:22/"])
      expect(checkTargetUrl(url, true)).toBeUndefined();
    for (const url of ["ftp://localhost/", "http://u:p@localhost/", "http://localhost:0/", "nonsense"])
      expect(checkTargetUrl(url, true)).toMatch(/^must /);
  });
});
