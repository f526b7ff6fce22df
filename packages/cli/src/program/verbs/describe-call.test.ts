import { fieldError, ServiceError } from "@posthorn/core";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../../test/verb-world.ts";
import { toCliError } from "../errors/to-cli-error.ts";
import { describeCall } from "./describe-call.ts";

/** By verb: fields of its arguments, and how a message names each. */
const named: Record<string, [field: string, name: string][]> = {
  "campaigns test": [
    ["id", `"first", the thing's id,`],
    ["to", `"second", the address,`],
  ],
  "emails attachment": [
    ["id", `"first", the e-mail's id,`],
    ["position", `"second", the position,`],
  ],
  "emails reschedule": [
    ["id", `"first", the e-mail's id,`],
    ["scheduled_at", `"second", the time,`],
  ],
  "members set-role": [
    ["member_id", `"first", the member's id,`],
    ["role", `"second", the role,`],
  ],
  "smtp-servers create": [
    ["name", `"first", the name,`],
    ["host", `"second", the host,`],
  ],
  "templates activate": [
    ["template_id", `"first", the template's id,`],
    ["versionId", `"second", the number,`],
  ],
  "templates delete-version": [
    ["template_id", `"first", the template's id,`],
    ["versionId", `"second", the number,`],
  ],
  // No message can tell which of two versions is meant.
  "templates diff": [["templateId", `"first", the template's id,`]],
  "templates pull": [["template_id", "template id"]],
  "templates push": [["template_id", "template id"]],
  "templates update-version": [
    ["templateId", `"first", the template's id,`],
    ["version_id", `"second", the number,`],
  ],
  "users link": [
    ["user_id", `"first", the user's id,`],
    ["external_id", `"second", the external id,`],
  ],
  "workspaces transfer": [
    ["workspace_id", `"first", the workspace's id,`],
    ["user_id", `"second", the member,`],
  ],
  "workspaces update": [
    ["workspace_id", `"first", the workspace's id,`],
    ["name", `"second", the name,`],
  ],
};

const verbsOf = async (): Promise<[string, string, Command][]> =>
  (await createProgram()).commands.flatMap((noun) =>
    [noun, ...noun.commands].map((verb): [string, string, Command] => [
      verb === noun ? noun.name() : `${noun.name()} ${verb.name()}`,
      noun.name(),
      verb,
    ]),
  );

const told = (noun: string, verb: Command, given: unknown[], path: string): string => {
  const refused = new ServiceError("validation_failed", { details: [{ path, message: "is wrong" }] });
  return toCliError(refused, describeCall(noun, verb, given)).message;
};

test("an error in a verb with several arguments names the argument", async () => {
  const verbs = (await verbsOf()).filter(([, , verb]) => verb.registeredArguments.length > 1);
  // A new verb must be reviewed and added here.
  expect(verbs.map(([name]) => name).toSorted()).toEqual(Object.keys(named).toSorted());
  for (const [name, noun, verb] of verbs) {
    const given = ["first", "second", {}, verb];
    for (const [field, words] of named[name] ?? [])
      expect(told(noun, verb, given, field), `${name}: ${field}`).toBe(`${words} is wrong.`);
  }
});

test("an error in the id of a verb with one argument quotes it, unless it is an option or too long", async () => {
  const verbs = await verbsOf();
  const [, noun = "", show] = verbs.find(([name]) => name === "webhooks show") ?? [];
  if (show === undefined) throw new Error("there is no webhooks show");
  const path = "webhookId";
  expect(told(noun, show, ["x", {}], path)).toBe(`"x", the webhook or delivery's id, is wrong.`);
  expect(told(noun, show, ["", {}], path)).toBe("webhook id is wrong.");
  expect(told(noun, show, ["x".repeat(81), {}], path)).toBe("webhook id is wrong.");
  expect(told(noun, show, [undefined, {}], path)).toBe("webhook id is wrong.");
  const [, , importList] = verbs.find(([name]) => name === "suppressions import") ?? [];
  if (importList === undefined) throw new Error("there is no suppressions import");
  expect(told("suppressions", importList, ["list.csv", {}], "content")).toBe(
    `"list.csv", the file, is wrong.`,
  );
  const [, , send] = verbs.find(([name]) => name === "emails send") ?? [];
  if (send === undefined) throw new Error("there is no emails send");
  expect(told("emails", send, [{}], "to.0")).toBe("--to, number 1 is wrong.");
  const details = [{ path: "headers.From", message: "From is set by the service" }];
  const refused = new ServiceError("validation_failed", { details });
  expect(toCliError(refused, describeCall("emails", send, [{}])).message).toBe(
    "--header: From is set by the service.",
  );
  const syntax = fieldError("subject", 'Section "who" is never closed (line 1, column 1)');
  expect(toCliError(syntax, describeCall("emails", send, [{}])).message).toBe(
    '--subject: Section "who" is never closed (line 1, column 1).',
  );
});

test("an error in one of several values of an argument quotes that value", async () => {
  const verbs = await verbsOf();
  for (const [name, given, path] of [
    ["suppressions check", ["a@b.example", "nobody"], "emails.1"],
    ["recipients show", "nobody", "emails.0"],
  ] as const) {
    const [, noun = "", verb] = verbs.find(([one]) => one === name) ?? [];
    if (verb === undefined) throw new Error(`there is no ${name}`);
    expect(told(noun, verb, [given, {}], path)).toBe(`"nobody", the address, is wrong.`);
  }
});

test("an error has a hint at the options and commands that help, if the verb has them", async () => {
  const verbs = await verbsOf();
  const hintOf = (name: string, error: ServiceError, arg?: string) => {
    const [, noun = "", verb] = verbs.find(([one]) => one === name) ?? [];
    if (verb === undefined) throw new Error(`there is no ${name}`);
    return toCliError(error, describeCall(noun, verb, [arg, {}])).hint;
  };
  const missing = new ServiceError("template_data_missing");
  expect(hintOf("emails send", missing)).toContain("--data");
  expect(hintOf("templates test", missing)).toBeUndefined();
  const linkless = new ServiceError("template_data_missing", { details: { missing: ["unsubscribe_url"] } });
  expect(hintOf("emails send", linkless)).toContain("--unsubscribe");
  expect(hintOf("emails send", new ServiceError("rate_limited"))).toContain("--defer");
  const tooMany = new ServiceError("rate_limited", { details: { recipients: 4 } });
  expect(hintOf("emails send", tooMany)).toBeUndefined();
  expect(hintOf("batches send", tooMany)).toContain("--defer");
  expect(hintOf("users create", new ServiceError("rate_limited"))).toBeUndefined();
  const senderless = new ServiceError("sender_missing");
  expect(hintOf("emails send", senderless)).toContain("--from");
  expect(hintOf("campaigns start", senderless)).toBe(
    "Give one for all: posthorn settings set --sender-email",
  );
  const unknown = new ServiceError("not_found", { message: "It is gone.", details: { template: "news" } });
  expect(hintOf("emails send", unknown)).toBe("Try: posthorn templates list");
  const stranger = new ServiceError("not_found", { message: "There is no user bob@example.com." });
  expect(hintOf("members add", stranger)).toContain("posthorn members invite");
  expect(hintOf("workspaces create", stranger)).toContain("posthorn users create");
  const lost = new ServiceError("not_found", { message: "There is no such e-mail." });
  expect(hintOf("emails show", lost, "1")).toBe("Try: posthorn emails list");
  expect(hintOf("suppressions show", new ServiceError("not_found"), "ada@example.com")).toContain(
    "posthorn suppressions list --query ada@example.com",
  );
  const json = fieldError(
    "content",
    "can't be read from line 1 on: it is not CSV: text follows a closing quote",
  );
  expect(hintOf("suppressions import", json)).toContain(".ndjson");
  const within = fieldError("host", "must be a public address");
  expect(hintOf("smtp-servers create", within)).toContain("SERVICE_WEBHOOK_ALLOW_PRIVATE");
  const inward = fieldError("url", "must lead to a public address");
  expect(hintOf("webhooks create", inward)).toContain("webhooks listen");
  expect(hintOf("webhooks create", fieldError("url", "must be an absolute URL"))).toBeUndefined();
});
