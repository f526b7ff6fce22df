import { expect, test } from "vitest";
import type { Config } from "../service/options.ts";
import { assertTarget } from "./webhook-fields.ts";

test.each(["https://mail.example.com/hooks", "https://MAIL.example.com./hooks"])(
  "a webhook can't lead to the service itself: %s",
  (url) => {
    const config = {
      webhooks: { allowPrivate: false },
      baseUrl: "https://mail.example.com/posthorn",
    } as Config;
    expect(() => assertTarget(url, config)).toThrow("must not lead to this service itself");
    expect(() => assertTarget(url.replace(/(com\.?)/, "$1:8443"), config)).not.toThrow();
  },
);
