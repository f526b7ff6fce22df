import type { Tokenizer } from "htmlparser2";

/** Decodes the entities of an attribute's value, as browsers do; `undefined` if it holds quotes of both kinds. */
export function decodeAttribute(value: string, createTokenizer: typeof Tokenizer): string | undefined {
  if (!value.includes("&")) return value;
  const quote = value.includes('"') ? "'" : '"';
  if (value.includes(quote)) return undefined;
  const html = `<a href=${quote}${value}${quote}>`;
  let decoded = "";
  const ignore = (): void => undefined;
  const tokenizer = new createTokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onattribdata(start, end) {
        decoded += html.slice(start, end);
      },
      onattribentity(codePoint) {
        decoded += String.fromCodePoint(codePoint);
      },
      onattribend: ignore,
      onattribname: ignore,
      oncdata: ignore,
      onclosetag: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onopentagname: ignore,
      onprocessinginstruction: ignore,
      onselfclosingtag: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return decoded;
}
