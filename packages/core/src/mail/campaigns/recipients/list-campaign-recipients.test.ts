import { expect, test } from "vitest";
import { make, openCampaignWorldForEach, own } from "../../../../test/campaign-world.ts";

openCampaignWorldForEach();

test.each(["ada@bücher.example", "Ada@BÜCHER.example", "ada@xn--bch", "ADA"])(
  "a recipient at an international domain is found by %s",
  async (q) => {
    const spring = await make(1);
    await own().addRecipients({ ...spring, recipients: [{ to: "ada@bücher.example" }] });
    const { items } = await own().listRecipients({ ...spring, q });
    expect(items.map(({ email }) => email)).toEqual(["ada@xn--bcher-kva.example"]);
  },
);
