import { expect, test } from "vitest";
import { make, openCampaignWorldForEach, own } from "../../../test/campaign-world.ts";

openCampaignWorldForEach();

const news = { name: "Spring", subject: "Spring", text: "Hello", unsubscribe: { list: "news" } };

test.each(["List-Unsubscribe", "list-unsubscribe-post"])(
  "refuses a header %s beside a list, which writes it itself, in a new campaign and in a change",
  async (name) => {
    const twice = { ...news, headers: { [name]: "<https://shop.example/leave>" } };
    const refusal = {
      code: "validation_failed",
      details: [{ path: `headers.${name}`, message: "is set by the service if unsubscribe is given" }],
    };
    await expect(own().create(twice)).rejects.toMatchObject(refusal);
    const spring = await make(1);
    await expect(own().update({ ...spring, ...twice })).rejects.toMatchObject(refusal);
    await own().update({ ...spring, ...twice, unsubscribe: false });
  },
);

test("refuses a pace so slow that the time of the next e-mail could not be stored", async () => {
  await expect(own().create({ ...news, pace: { perSecond: 1e-16 } })).rejects.toMatchObject({
    details: [{ path: "pace.perSecond", message: "must be 0.001 to 1000" }],
  });
  await own().create({ ...news, pace: { perSecond: 0.001 } });
});
