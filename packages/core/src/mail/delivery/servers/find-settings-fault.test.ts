import { expect, test } from "vitest";
import type { RecipientResult } from "../../../ports/mailer.ts";
import { findSettingsFault } from "./find-settings-fault.ts";

const refused = (address: string, reply: string): RecipientResult => ({
  address,
  outcome: "deferred",
  code: 550,
  reply,
});

test("leaves out recipients' addresses, in whatever case the server repeats them", () => {
  const recipients = [
    refused("Ada+News@Example.com", "550 ada+news@example.com and ADA+NEWS@EXAMPLE.COM: sender not allowed"),
    refused("bob@example.com", "550 Bob@Example.com: sender not allowed"),
  ];
  const fault = "550 … and …: sender not allowed";
  expect(findSettingsFault({ recipients, inDoubt: false }, [])).toBe(fault);
});
