import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../test/any-character.ts";
import { commonPasswords } from "./common-passwords.ts";
import { normalizePassword, passwordFault } from "./passwords.ts";

describe("passwordFault", () => {
  test.each([
    "correct horse battery staple",
    "Tr0ub4dor&3xylo",
    "        a b c d e",
    "пароль-от-сейфа",
    "密码是很长的一句话对不对呀",
    "kx7!qP2#vm9Z",
    "\0\x01\x02 any will do",
    "password83749281736",
    "a".repeat(65),
    "Ab1!".repeat(64),
  ])("accepts %j", (password) => expect(passwordFault(password)).toBeUndefined());

  test.each([
    "passwordpassword",
    "Password1234",
    "P@ssw0rd2024!",
    "password!!!!",
    "123passw0rd123",
    "qwertyuiop123",
    "1234567890123",
    "123456789012",
    "abcdefghijkl",
    "aaaaaaaaaaaa",
    "password".repeat(8),
    "abababababab",
    "111122223333".replace(/.*/, "121212121212"),
    "1q2w3e4r5t6y",
    "qwertyasdfgh",
    "zxcvbnm12345",
    "iloveyou2024",
    "Welcome12345",
    "letmein!!!!!",
    "administrator",
    "987654321098",
    "1qaz2wsx3edc",
    "PASSWORD12345678",
    "ｐａｓｓｗｏｒｄ１２３４",
  ])("refuses the common %j", (password) => expect(passwordFault(password)).toMatch(/tried first/));

  test("limits characters after normalising, from 12 or the option to 256", () => {
    expect(passwordFault("kx7!qP2#vm9")).toBe("must be at least 12 characters long");
    expect(passwordFault("kx7!qP2#", { minLength: 8 })).toBeUndefined();
    expect(passwordFault("kx7!qP2", { minLength: 1 })).toBe("must be at least 8 characters long");
    expect(passwordFault("kx7!qP2#vm9Zab", { minLength: 15 })).toMatch(/at least 15/);
    const long = "kx7!qP2#vm9Zt4$w".repeat(16);
    expect(passwordFault(long)).toBeUndefined();
    expect(passwordFault(`${long}x`)).toMatch(/at most 256/);
    expect(passwordFault("\ufdfa".repeat(100))).toMatch(/at most 256/);
    for (const letters of ["ệớựặ".repeat(64), "ᾂ".repeat(256)])
      expect(passwordFault(letters.normalize("NFD"))).toBeUndefined();
    expect(passwordFault("😀".repeat(6))).toMatch(/at least 12/);
    expect(passwordFault("x".repeat(1e6))).toMatch(/at most 256/);
    expect(passwordFault("kx7!qP2#vm9Z\ud800")).toMatch(/surrogate/);
  });

  test("refuses the user's own name and address", () => {
    const who = { email: "margarethe.voss@example.com", name: "Margarethe Voss" };
    for (const password of [
      "margarethe.voss@example.com",
      "Margarethe Voss",
      "margarethevoss",
      "MargaretheVoss1",
      "margarethe.voss!",
    ]) {
      expect(passwordFault(password, who)).toMatch(/your own/);
    }
    expect(passwordFault("margarethe likes blue", who)).toBeUndefined();
  });

  test("every listed password is refused, also in capitals and with digits", () => {
    expect(commonPasswords.size).toBeGreaterThan(300);
    for (const password of commonPasswords) {
      for (const written of [password, password.toUpperCase()])
        expect(passwordFault(written, { minLength: 8 })).toMatch(/tried first/);
    }
  });

  test("never throws, and normalising is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300, size: "max" }), (password) => {
        passwordFault(password, { email: password, name: password });
        expect(normalizePassword(normalizePassword(password))).toBe(normalizePassword(password));
      }),
    );
  });
});
