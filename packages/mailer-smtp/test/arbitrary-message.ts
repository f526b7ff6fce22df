import { createAttachment } from "@posthorn/core/internal";
import fc from "fast-check";

const word = fc.stringMatching(/^[a-z]{1,8}$/);
/** Printable text in any script. */
export const printable = fc.string({ unit: "grapheme", maxLength: 120, size: "max" });
/** Text that is valid in a header field. */
export const headerText = printable.map((text) =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}\p{Cs}]+/gu, " ").trim(),
);
/** A mailbox with any name. */
export const mailbox = fc.record({
  name: headerText,
  address: fc.tuple(word, word).map(([a, b]) => `${a}@${b}.example`),
});
/** A text with difficult parts: dots, trailing blanks, long lines. */
export const bodyText = fc
  .array(
    fc.oneof(
      printable,
      fc.constantFrom("\n", "\r\n", " \n", "\t\n", ".", "\n.\n", "=", "=3D", "--", "x".repeat(1200)),
    ),
    {
      maxLength: 30,
      size: "max",
    },
  )
  .map((parts) => parts.join("").replace(/\r(?!\n)/g, ""));
/** A file with any name and content. */
export const attachment = fc
  .record({
    filename: headerText.filter((text) => text !== ""),
    contentType: fc.constantFrom("image/png", "application/pdf", "text/plain"),
    content: fc.uint8Array({ maxLength: 400, size: "max" }),
  })
  .map(createAttachment);
