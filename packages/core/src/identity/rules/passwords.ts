import { commonPasswords, commonWords } from "./common-passwords.ts";

const lowestMinLength = 8;
const maxLength = 256;
/** Longer passwords are on no list: guesses repeat a text a few times, and don't write it out to the maximum. */
const maxCommonLength = 64;
/**
 * Rows and columns of keyboards, the alphabet and the digits. A password that consists of runs of these is a common
 * one.
 */
const keyRuns = [
  "0123456789",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "qwertzuiop",
  "yxcvbnm",
  "azertyuiop",
  "qsdfghjklm",
  "wxcvbn",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
  "zaq1xsw2cde3vfr4bgt5nhy6mju7",
];
const allRuns = [...keyRuns, ...keyRuns.map((run) => [...run].reverse().join(""))].map((run) => run + run);
const leetLetters: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** The user's name and address, which the password must not equal. */
export interface PasswordContext {
  /** Minimum length in characters. Default 12, never below 8. */
  minLength?: number | undefined;
  email?: string | undefined;
  name?: string | undefined;
}

/** Normalises a password to NFKC, so that two keyboards give the same password (NIST SP 800-63B §3.1.1.2). */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}

/**
 * Returns why a new password is refused, or `undefined` if it is accepted. The length, at most 256, is in characters
 * after normalising; all characters are allowed.
 */
export function passwordFault(
  password: string,
  { minLength = 12, email, name }: PasswordContext = {},
): string | undefined {
  const least = Math.max(minLength, lowestMinLength);
  // Check the length before normalising, which can make a text eighteen times longer. A letter may be typed as four: one
  // with three marks.
  if (password.length > maxLength * 4) return `must be at most ${maxLength} characters long`;
  if (!password.isWellFormed()) return "contains half of a surrogate pair";
  const normal = normalizePassword(password);
  const length = [...normal].length;
  if (length < least) return `must be at least ${least} characters long`;
  if (length > maxLength) return `must be at most ${maxLength} characters long`;
  const lower = normal.toLowerCase();
  if (isOwn(lower, email, name)) return "must not be your own name or e-mail address";
  return isCommon(lower) ? "is among the passwords that are tried first; choose another" : undefined;
}

function isOwn(lower: string, email: string | undefined, name: string | undefined): boolean {
  const own = [email, email?.slice(0, email.lastIndexOf("@")), name, name?.replace(/\s/g, "")];
  const bare = stripEnds(lower);
  return own.some((text) => {
    const known = text === undefined ? "" : normalizePassword(text).toLowerCase();
    return (
      known !== "" && (lower === known || bare === known || (stripEnds(known) === bare && bare.length >= 4))
    );
  });
}

function isCommon(lower: string): boolean {
  if (lower.length > maxCommonLength) return false;
  if (commonPasswords.has(lower)) return true;
  const unit = smallestUnit(lower);
  if (unit.length <= 4 || commonPasswords.has(unit) || isRuns(lower)) return true;
  return (
    [lower, unleet(lower)].some((text) => {
      const bare = stripEnds(text);
      // Refuses "password" with a year, a number or a few signs added. A long random addition makes a password
      // acceptable.
      return lower.length - bare.length <= 8 && (isKnown(bare) || isKnown(smallestUnit(bare)));
    }) ||
    (isKnown(stripEnds(unleet(stripEnds(lower)))) && lower.length - stripEnds(lower).length <= 8)
  );
}

function isKnown(text: string): boolean {
  return commonWords.has(text) || commonPasswords.has(text);
}

function unleet(text: string): string {
  return text.replace(/[013457@$!]/g, (character) => leetLetters[character] ?? character);
}

function stripEnds(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
}

/** Returns the shortest text whose repetition gives this one: "abc" for "abcabcabc" and "abcabcab". */
function smallestUnit(text: string): string {
  for (let period = 1; period <= text.length / 2; period++) {
    if (text.startsWith(text.slice(period))) return text.slice(0, period);
  }
  return text;
}

/**
 * Whether the text consists of runs along a keyboard or a sequence, each of four characters or more; the last may be
 * shorter.
 */
function isRuns(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    let length = Math.min(4, text.length - at);
    if ((at === 0 && length < 4) || !isRun(text.slice(at, at + length))) return false;
    while (at + length < text.length && isRun(text.slice(at, at + length + 1))) length += 1;
    at += length;
  }
  return true;
}

function isRun(text: string): boolean {
  return allRuns.some((run) => run.includes(text));
}
