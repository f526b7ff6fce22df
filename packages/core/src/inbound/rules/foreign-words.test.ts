import { expect, test } from "vitest";
import { classifyRefusal, codeOf } from "./classify-refusal.ts";

test.each([
  ["550 Empfänger unbekannt", "invalid_recipient"],
  ["550 Empfaenger ada@example.com unbekannt", "invalid_recipient"],
  ["550 Empf\u00c3\u00a4ngeradresse <ada@example.com> ist ungültig", "invalid_recipient"],
  ["550 <ada@example.com>: Unbekannter Benutzer", "invalid_recipient"],
  ["550 Benutzer nicht gefunden", "invalid_recipient"],
  ["550 Postfach existiert nicht", "invalid_recipient"],
  ["550 Kein solcher Empf\ufffdnger", "invalid_recipient"],
  ["550 Utilisateur inconnu", "invalid_recipient"],
  ["550 Boîte inconnue – 不明", "invalid_recipient"],
  ["550 La boi\u0302te aux lettres ada@example.com n’existe pas", "invalid_recipient"],
  ["550 Adresse d au moins un destinataire invalide.", "invalid_recipient"],
  ["550 Postfach voll", "mailbox_full"],
  ["552 Speicherplatz überschritten", "mailbox_full"],
  ["550 La boîte de réception est pleine", "mailbox_full"],
  ["550 Quota dépassé", "mailbox_full"],
  ["550 Absenderadresse unbekannt", "other"],
  ["550 Absender hat unbekannte Adresse", "other"],
  ["550 Adresse inconnue de l'expéditeur", "other"],
  ["550 Anmeldung: Benutzer unbekannt", "other"],
  ["550 Domaine inconnu", "other"],
  ["554 Postfach existiert nicht", "invalid_recipient"],
  ["450 Empfänger unbekannt", "transient"],
])("%s is %s", (reply, category) => {
  expect(classifyRefusal({ code: codeOf(reply), reply, stage: "recipient" }).category).toBe(category);
});

test("says nothing of a mailbox where the content was refused", () => {
  expect(classifyRefusal({ code: 550, reply: "550 Adresse inconnue", stage: "content" }).category).toBe(
    "other",
  );
});
