import { expect, test } from "vitest";
import { database, openDatabaseForEach, send, workspace, world } from "../../test/world-for-each.ts";

openDatabaseForEach();

const answer = { kind: "response", status: 500, body: "No visit of Mrs Lovelace", durationMs: 1 } as const;
const answers = () =>
  database.prepare("select email_id, response_body from posthorn_webhook_deliveries order by email_id").all();
const erase = () => world.posthorn.recipients.erase({ email: "ada@example.com" }, workspace.asOwner);
/** Their payload has only the e-mail's id: nothing of it is erased. */
const subscribe = () =>
  world.posthorn.webhooks.create(
    { url: "https://hooks.example.com/", events: ["email.sent"] },
    workspace.asOwner,
  );

test("an erasure removes what endpoints answered to the bare ids of the person's e-mails, and of no others", async () => {
  await subscribe();
  world.http.answerWith(() => answer);
  const alone = await send({ to: ["ada@example.com"] });
  const shared = await send({ to: ["bob@example.com", "ada@example.com"] });
  const others = await send({ to: ["bob@example.com"] });
  await world.posthorn.drain();
  const all = [alone, shared, others].map(({ id }) => ({ email_id: id, response_body: answer.body }));
  expect(answers()).toEqual(all);
  await erase();
  await world.posthorn.drain();
  expect(answers()).toEqual(all.map((one, at) => (at < 2 ? { ...one, response_body: "" } : one)));
});

test("an erasure during which an endpoint answers to the bare id of the person's e-mail lets none be stored", async () => {
  await subscribe();
  const [address, workspaceId] = ["ada@example.com", workspace.id];
  const person = { workspaceId, address, addressKey: address, erasedAs: "erased-0123abcd@invalid" };
  const { recipients } = world.storage;
  world.http.answerWith(async () => {
    await recipients.eraseEmails(person, await recipients.emailsTo(person, 0, 9));
    expect(await recipients.eraseFrom("webhook_deliveries", person, "")).toMatchObject({ next: undefined });
    return answer;
  });
  const { id } = await send({ to: ["ada@example.com"] });
  await world.posthorn.drain();
  expect(answers()).toEqual([{ email_id: id, response_body: "" }]);
});
