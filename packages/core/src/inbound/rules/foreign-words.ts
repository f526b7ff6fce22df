/**
 * German and French words of replies. A letter with an accent or umlaut is matched in whatever way it arrives: composed
 * or not, as two letters, or misread.
 */
const box = String.raw`postfach|mailbox|bo\S{1,3}te(?: aux lettres| mail| de r\S{1,2}ception)?`;
const someone = String.raw`(?:benutzer(?:name)?|empf\S{1,3}nger(?:adresse)?|adressat|\b(?:e-?mail-?)?adresse(?: e-?mail| mail)?|\bkonto|${box}|utilisateur|destinataire|compte)`;
const missing = String.raw`(?:unbekannt|nicht (?:bekannt|gefunden|vorhanden)|existiert nicht|ung\S{1,2}ltig|inconnue?\b|introuvable|inexistante?\b|invalide\b|n.existe pas)`;

const unknown = new RegExp(
  String.raw`${someone}(?: <?x@x>?)?:? (?:ist |wurde |est )?(?:hier )?${missing}|\b(?:unbekannte[rs]?|kein\w{0,2} solche[rs]?) ${someone}`,
  "i",
);
const anothers = /absender|exp\S{1,3}diteur|authenti|anmeld/i;

/** Words for a mailbox that does not exist, unless they name the sender or a login. */
export const unknownAbroad = { test: (text: string): boolean => unknown.test(text) && !anothers.test(text) };

/** Words for a full mailbox. */
export const fullAbroad = new RegExp(
  String.raw`(?:${box}|speicher(?:platz)?|quota|kontingent)(?: <?x@x>?)? (?:ist |est )?(?:voll\b|\S{1,2}berf\S{1,2}llt|\S{1,2}berschritten|ersch\S{1,2}pft|pleine\b|satur\S{1,2}e|d\S{1,2}pass\S)`,
  "i",
);
