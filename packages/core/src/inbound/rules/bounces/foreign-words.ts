/**
 * Words of replies in other languages than English. A letter with an accent or umlaut is matched in whatever way it
 * arrives: composed or not, as two letters, or misread.
 */
const ofPatterns = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join("|"), "i");
/** An address, as `withoutNames` leaves it, and what may stand before the predicate. */
const named = "(?: <?x@x>?)?:?";

const box = String.raw`postfach|mailbox|bo\S{1,3}te(?: aux lettres| mail| de r\S{1,2}ception)?(?: du destinataire)?`;
const someone = String.raw`(?:benutzer(?:name)?|empf\S{1,3}nger(?:adresse)?|adressat|\b(?:e-?mail-?)?adresse(?: e-?mail| mail)?|\bkonto|${box}|utilisateur|destinataire|compte)`;
const missing = String.raw`(?:unbekannt|nicht (?:bekannt|gefunden|vorhanden)|existiert nicht|ung\S{1,2}ltig|inconnue?\b|introuvable|inexistante?\b|invalide\b|n.existe pas)`;

/** Spanish, Italian and Portuguese, whose words are mostly the same. */
const romanBox = String.raw`(?:buz\S{1,3}n|casilla|casella|caixa(?: postal)?)(?: d[ei] (?:correos?|correio|posta|entrada|e-?mail)(?: el\S{5,10}nic[oa])?)?`;
const romanOne = String.raw`\b(?:${romanBox}|(?:usu\S{1,2}rio|utente|destinat\S{1,2}rio|cuenta|conta|direcci\S{1,3}n|indirizzo|endere\S{1,2}o)(?: d[ei] (?:correo|correio|posta|e-?mail)(?: el\S{5,10}nic[oa])?| e-?mail)?)`;
const romanMissing = String.raw`(?:desconocid[oa]|sconosciut[oa]|desconhecid[oa]|in(?:exi|esi)stente|(?:non?|n\S{1,2}o) (?:e[xs]iste(?:nte)?\b|(?:fue |foi )?(?:encontrad|trovat)[oa]))`;

const dutchOne = String.raw`(?:gebruiker|ontvanger|geadresseerde|\b(?:e-?mail-?)?adres|mailbox|postvak|postbus)`;
const polishOne = String.raw`(?:u\S{1,2}ytkownik|odbiorca|adresat|\badres(?: e-?mail)?|\bkonto|skrzynka)(?: pocztow[aey])?`;

const unknown = ofPatterns(
  `${someone}${named} (?:ist |wurde |est )?(?:hier )?${missing}`,
  String.raw`\b(?:unbekannte[rs]?|kein\w{0,2} solche[rs]?) ${someone}`,
  String.raw`${romanOne}${named} (?:(?:es|\S{1,3}) )?${romanMissing}`,
  String.raw`\b(?:non?|n\S{1,2}o) e[xs]iste (?:(?:el|la|il|lo|[oa]|una?|uma?|est[ea]|quest[oa]) |l.)?${romanOne}`,
  `${dutchOne}${named} (?:is )?(?:onbekend|bestaat niet|niet (?:gevonden|bekend))`,
  String.raw`\bonbekende? ${dutchOne}`,
  `${polishOne}${named} (?:jest )?(?:nieznan[aey]|nie (?:istnieje|znalezion[aoy]))`,
  String.raw`\bnieznan[aey] ${polishOne}`,
  String.raw`\b(?:nie ma|brak) takie(?:go|j) (?:u\S{1,2}ytkownika|odbiorcy|adresata|adresu|konta|skrzynki)`,
);
/** Words for the sender, a login, or a network's address. */
const anothers =
  /absender|exp\S{1,3}diteur|authenti|anmeld|rem[ei]tente|mittente|\benv\S{1,3}o\b|autenti[cf]|contrase|senha\b|password|passwor[dt]|\blogin\b|afzender|wachtwoord|nadawc|has\S{1,2}o\b|\b(?:ip|dns|ptr|helo|ehlo)\b/i;

/** Words for a mailbox that does not exist, unless they name the sender or a login. */
export const unknownAbroad = { test: (text: string): boolean => unknown.test(text) && !anothers.test(text) };

/** Words for a full mailbox. */
export const fullAbroad = ofPatterns(
  String.raw`(?:${box}|speicher(?:platz)?|quota|kontingent)(?: <?x@x>?)? (?:ist |est )?(?:voll\b|\S{1,2}berf\S{1,2}llt|\S{1,2}berschritten|ersch\S{1,2}pft|pleine\b|satur\S{1,2}e|d\S{1,2}pass\S)`,
  String.raw`${romanBox}(?: de[l ]+| do )?(?:destinat\S{1,2}rio|usu\S{1,2}rio|utente)?${named} (?:(?:est\S{1,2}|\S{1,3}|risulta) )?(?:llen[oa]\b|pien[oa]\b|chei[oa]\b|lotad[oa]\b)`,
  String.raw`\b(?:quota|cuota|cota)(?: <?x@x>?)? (?:(?:\S{1,4}) )?(?:excedida|superada|superata|agotada|esaurita|ultrapassada|esgotada)`,
  String.raw`(?:mailbox|postvak|postbus)${named} (?:is )?vol\b`,
  String.raw`skrzynka(?: pocztowa)?(?: odbiorcy| adresata)?${named} (?:jest )?(?:pe\S{1,2}na\b|przepe\S{1,2}niona)`,
);
