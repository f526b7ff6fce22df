import { expect, test } from "vitest";
import { receiverUrl } from "./receiver-url.ts";

test("takes https anywhere, http on this machine, and nothing that only a parser takes for a URL", () => {
  expect(receiverUrl("https://shop.example/hooks").href).toBe("https://shop.example/hooks");
  expect(receiverUrl("http://127.0.0.1:3000/hooks").port).toBe("3000");
  for (const wrong of ["http://shop.example", "https:shop.example", "shop.example", "file:///hooks"])
    expect(() => receiverUrl(wrong), wrong).toThrow("is not a receiver");
});
