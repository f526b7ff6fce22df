import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "../..");

/** TypeScript's own language server, used over its pipes, for the editor's view of the project. */
export interface LanguageServer {
  /** Returns an editor's hover at the mark in each line that has one, for a text opened as if it were at `path`. */
  hover(path: string, text: string): Promise<string[]>;
  /** Returns an editor's completions at each mark. */
  complete(path: string, text: string): Promise<string[][]>;
  /** Returns the compiler's errors in a file, each as a line. */
  errorsIn(path: string): Promise<string[]>;
  close(): void;
}

interface Diagnostic {
  severity: number;
  code: number;
  message: string;
  range: { start: { line: number; character: number } };
}

interface Message {
  id?: number;
  method?: string;
  result?: unknown;
}

/** Starts the server on the repository. */
export async function openLanguageServer(): Promise<LanguageServer> {
  const child = spawn(join(root, "node_modules/.bin/tsc"), ["--lsp", "--stdio"], {
    cwd: root,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, (result: unknown) => void>();
  let received = Buffer.alloc(0);
  let lastId = 0;
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((done) => {
      lastId += 1;
      waiting.set(lastId, done);
      send({ id: lastId, method, params });
    });
  const take = ({ id, method, result }: Message): void => {
    if (id === undefined) return;
    if (method === undefined) {
      waiting.get(id)?.(result);
      waiting.delete(id);
    } else send({ id, result: method === "workspace/configuration" ? [null] : null });
  };
  child.stdout.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const end = received.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/i.exec(received.subarray(0, end).toString())?.[1]);
      if (end < 0 || received.length < end + 4 + length) return;
      take(JSON.parse(received.subarray(end + 4, end + 4 + length).toString()) as Message);
      received = received.subarray(end + 4 + length);
    }
  });
  const capabilities = { textDocument: { hover: { contentFormat: ["markdown"] }, diagnostic: {} } };
  await request("initialize", { processId: null, rootUri: pathToFileURL(root).href, capabilities });
  send({ method: "initialized", params: {} });
  const versions = new Map<string, number>();
  /** Opens a text, or replaces the former text at its path; returns its address. */
  const openText = (path: string, text: string): string => {
    const uri = pathToFileURL(join(root, path)).href;
    const version = (versions.get(uri) ?? 0) + 1;
    versions.set(uri, version);
    if (version > 1)
      send({
        method: "textDocument/didChange",
        params: { textDocument: { uri, version }, contentChanges: [{ text }] },
      });
    else
      send({
        method: "textDocument/didOpen",
        params: { textDocument: { uri, languageId: "typescript", version, text } },
      });
    return uri;
  };
  /** Asks at each mark of a text. */
  const askAll = (method: string, path: string, marked: string): Promise<unknown[]> => {
    const uri = openText(path, marked.replaceAll(mark, ""));
    return Promise.all(
      marksOf(marked).map((position) => request(method, { textDocument: { uri }, position })),
    );
  };
  return {
    async hover(path, text) {
      const shown = await askAll("textDocument/hover", path, text);
      return shown.map((one) => (one as { contents?: { value?: string } } | null)?.contents?.value ?? "");
    },
    async complete(path, text) {
      const offered = await askAll("textDocument/completion", path, text);
      return offered.map((one) =>
        ((one as { items?: { label: string }[] } | null)?.items ?? []).map(({ label }) => label),
      );
    },
    async errorsIn(path) {
      const uri = openText(path, readFileSync(join(root, path), "utf8"));
      const report = await request("textDocument/diagnostic", { textDocument: { uri } });
      const items = (report as { items?: Diagnostic[] } | undefined)?.items;
      if (items === undefined) throw new Error(`the language server does not tell the errors of ${path}`);
      return items
        .filter(({ severity }) => severity === 1)
        .map(
          ({ code, message, range: { start } }) =>
            `${path}(${start.line + 1},${start.character + 1}): error TS${code}: ${message}`,
        );
    },
    close: () => void child.kill(),
  };
}

const mark = "/*?*/";

function marksOf(text: string): { line: number; character: number }[] {
  return text.split("\n").flatMap((line, number) => {
    const at = line.indexOf(mark);
    return at < 0 ? [] : [{ line: number, character: at }];
  });
}
