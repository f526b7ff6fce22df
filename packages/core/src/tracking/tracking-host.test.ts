import { expect, test } from "vitest";
import { addVerified } from "../../test/sending-domain.ts";
import { host, openWorldForEach, reopenWorld, send, workspace, world } from "../../test/world-for-each.ts";

const baseUrl = "https://mail.post.example/mail";
openWorldForEach({ baseUrl, trackingHost: "links.post.example" });

/** The beginnings of the address of the link and of the image in an e-mail from the address. */
async function basesFor(from: string): Promise<(string | undefined)[]> {
  world.mailer.inbox.clear();
  await send({
    from,
    html: '<a href="https://shop.example/">x</a>',
    tracking: { opens: true, clicks: true },
  });
  await world.posthorn.drain();
  const { html = "" } = world.mailer.inbox.all()[0] ?? {};
  return [/href="(.*)\/c\//, /src="(.*)\/o\//].map((pattern) => pattern.exec(html)?.[1]);
}

test("tracked links lead to the verified tracking host of the sender's domain, else to the service's own", async () => {
  const domain = await addVerified("shop.example", { tracking: "t", includeSubdomains: true });
  const own = "https://t.shop.example/mail";
  expect(await basesFor("ada@shop.example")).toEqual([own, own]);
  expect(await basesFor("ada@news.shop.example")).toEqual([own, own]);
  expect(await basesFor("ada@other.example")).toEqual([baseUrl, baseUrl]);
  world.dns.setCname("t.shop.example");
  await world.posthorn.domains.verify({ domainId: domain.id }, workspace.asOwner);
  expect(await basesFor("ada@shop.example")).toEqual([baseUrl, baseUrl]);
});

test("a tracking host is not used once the operator has given up theirs, before any check", async () => {
  const plain = "http://mail.post.example";
  await reopenWorld({ baseUrl: plain });
  const { id } = await addVerified("shop.example");
  await world.storage.domains.update(workspace.id, id, { tracking: "t", trackingVerified: true });
  expect(await basesFor("ada@shop.example")).toEqual([plain, plain]);
  const { warnings } = await world.posthorn.emails.dryRunSend(
    {
      from: "ada@shop.example",
      to: ["a@x.example"],
      subject: "S",
      html: "<p>x</p>",
      tracking: { opens: true },
    },
    host(),
  );
  expect(warnings).toMatchObject([{ code: "tracking_base_url", details: { base_url: plain } }]);
});
