const quotes = /^(?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)")/;
const unquoted = /^(?:[^\\\r\n]|\\[\s\S]|\\$)/;
const name = /^[A-Za-z_]\w*$/;

/**
 * Parses the text of an environment file as systemd does (systemd.exec(5), `EnvironmentFile=`): `#` and `;` begin a
 * comment only at the beginning of a line, quotes may enclose a value or a part at its beginning, and a backslash at the
 * end of a line continues it. Throws an Error for a line that systemd would ignore.
 */
export function parseEnvironmentFile(text: string): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  // A byte order mark is a blank to regular expressions.
  const passOver = (given: string): string => given.replace(/^(?:\s|[#;].*)+/, "");
  let rest = passOver(text);
  while (rest !== "") {
    const [line = "", key = ""] = /^([^=\r\n]*)=?/.exec(rest) ?? [];
    const given = key.trimEnd();
    if (!line.endsWith("=") || !name.test(given)) {
      const at = text.slice(0, text.length - rest.length).split("\n").length;
      throw new Error(`line ${at} does not begin with NAME=`);
    }
    const value = takeValue(rest.slice(line.length).replace(/^[ \t]+/, ""));
    found[given] = value.text;
    rest = passOver(value.rest);
  }
  return found;
}

/** Takes a value off the front of a text that begins with it. */
function takeValue(given: string): { text: string; rest: string } {
  let rest = given;
  let text = "";
  for (let found = quotes.exec(rest); found !== null; found = quotes.exec(rest)) {
    const [whole, single, double = ""] = found;
    text += single ?? double.replace(/\\(["\\`$]|\n)/g, (_, escaped) => (escaped === "\n" ? "" : escaped));
    rest = rest.slice(whole.length).replace(/^[ \t]+/, "");
  }
  let plain = "";
  /** Length up to the last character that is not a blank, or was escaped. */
  let end = 0;
  for (let found = unquoted.exec(rest); found !== null; found = unquoted.exec(rest)) {
    const [part] = found;
    plain += part[0] === "\\" ? part.slice(1).replace("\n", "") : part;
    if (!/^[ \t]$/.test(part)) end = plain.length;
    rest = rest.slice(part.length);
  }
  return { text: text + plain.slice(0, end), rest };
}
