import { z } from "zod";
import { isSafeName } from "../../rules/addresses.ts";
import { holdsLink, holdsWebAddress } from "../../rules/web-addresses.ts";
import { namePattern } from "./text-patterns.ts";

// No further check examines a text that is too long.
const tooLong = { error: "is longer than 100 characters", abort: true };

/** A name: 1 to 100 characters on one line, in NFC, so that equal names are equal texts. */
export const nameField = z
  .string()
  .trim()
  // Normalising takes quadratic time for accents in another order than the canonical one, and may leave a quarter.
  .max(400, tooLong)
  .normalize("NFC")
  .min(1, "must not be empty")
  .max(100, tooLong)
  .refine(isSafeName, "must be a single line without control characters")
  .meta({ pattern: namePattern });

/** The name of a thing that there is, read in every form that {@link nameField} takes for it. */
export const existingName = z
  .string()
  .trim()
  .max(400, tooLong)
  .normalize("NFC")
  .min(1, "must not be empty")
  .max(100, tooLong);

/** A person's name. It appears in mails to addresses that nobody has verified, so it must not contain a link. */
export const personName = nameField
  .refine((name) => !holdsWebAddress(name), "must not contain a web address; put a blank after a full stop")
  .describe("The person's name: at most 100 characters on one line, without a web address.");

/** A workspace's name. It appears in invitations, so it may be like that of a site, but must not contain a link. */
export const workspaceName = nameField.refine((name) => !holdsLink(name), "must not contain a link");
