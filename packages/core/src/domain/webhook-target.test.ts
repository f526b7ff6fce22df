import { describe, expect, test } from "vitest";
import { checkTargetUrl, isPublicAddress } from "./webhook-target.ts";

describe("checkTargetUrl", () => {
  test.each([
    "https://hooks.example.com/a?b=c",
    "https://example.com:8443/",
    "https://8.8.8.8/",
    "https://[2606:4700::1]/",
    "https://bücher.example/",
  ])("takes %s", (url) => {
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

  test("allowPrivate permits plain HTTP, inner hosts and any port, nothing else", () => {
    for (const url of ["http://127.0.0.1:9/", "http://localhost/", "https://[::1]:22/"])
      expect(checkTargetUrl(url, true)).toBeUndefined();
    for (const url of ["ftp://localhost/", "http://u:p@localhost/", "nonsense"])
      expect(checkTargetUrl(url, true)).toMatch(/^must /);
  });
});

describe("isPublicAddress", () => {
  test.each(["8.8.8.8", "1.1.1.1", "2606:4700::1", "::ffff:8.8.8.8"])("%s is", (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
  test.each([
    "127.0.0.1",
    "127.9.9.9",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "0.1.2.3",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::808:808",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "::ffff:0:7f00:1",
    "64:ff9b::a00:1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "",
    "nonsense",
    "8.8.8.8 ",
  ])("%s is not", (address) => expect(isPublicAddress(address)).toBe(false));
});
