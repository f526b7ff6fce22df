import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, runCommand, startCommand } from "./run-command.ts";

type Shell = "bash" | "zsh" | "fish";

/** Arguments with which a shell reads none of its user's settings. */
const withoutSettings: Record<Shell, string[]> = { bash: [], zsh: ["-f"], fish: ["--no-config"] };

/**
 * Completes lines in a shell with the script, where a replacement of the command gives names; returns the candidates,
 * one per line.
 */
async function completeIn(shell: Shell, lines: readonly string[]): Promise<string[]> {
  const cwd = makeFolder();
  const { stdout: script } = await runCommand(["completion", shell], { cwd });
  const completing = {
    bash: [
      script,
      // Readline offers files where there are no candidates and the script does not forbid it.
      'compopt() { [[ "$*" == "+o default" ]] && files=""; }',
      // Replaces the command: prints one name, and the workspace that it is asked for.
      `posthorn() { echo 'welcome $(touch ran)'; [[ $4 == --workspace ]] && echo "$5"; [[ $3 == webhooks ]] && echo "https://a.example?b=c d"; [[ $3 == users ]] && echo "ada@example.com"; }`,
      // Words as Readline splits them: the line itself has no spaces at ":", "=" and "@".
      ...lines.map(
        (line) =>
          `COMP_WORDS=(${line.replace(/ $/, ' ""')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMP_LINE="\${COMP_WORDS[*]}"; for c in : = @; do COMP_LINE="\${COMP_LINE// $c/$c}"; COMP_LINE="\${COMP_LINE//$c /$c}"; done; files="(files)"; _posthorn; echo "\${COMPREPLY[*]:-$files}"`,
      ),
    ],
    // Completion without a terminal: the function that would offer candidates prints them.
    zsh: [
      "compdef() {}; compset() {}; _files() {}",
      `_describe() { local -a all=("\${(@P)2}"); print -r -- \${all%%:*} }`,
      "compadd() { shift; print -r -- $@ }",
      "posthorn() { print -l 'welcome $(touch ran)' \"$*[4,-1]\" }",
      script,
      ...lines.map(
        (line) => `words=(${line.replace(/ $/, ' ""')}); CURRENT=$#words; PREFIX=$words[-1]; _posthorn`,
      ),
    ],
    fish: [
      script,
      "function posthorn; printf '%s\\n' 'welcome $(touch ran)' \"$argv[4..-1]\"; end",
      ...lines.map((line) => `echo (complete -C '${line}' | string replace -r '\\t.*' '' | string join ' ')`),
    ],
  }[shell];
  const file = join(cwd, `posthorn.${shell}`);
  writeFileSync(file, completing.join("\n"));
  const answers = execFileSync(shell, [...withoutSettings[shell], file], {
    encoding: "utf8",
    cwd,
    env: { ...process.env, HOME: cwd },
  });
  expect(existsSync(join(cwd, "ran"))).toBe(false);
  return answers.trimEnd().split("\n");
}

test.each(["bash", "zsh", "fish"])("the completion for %s knows nouns, verbs and flags", async (shell) => {
  const { code, stdout } = await runCommand(["completion", shell], { cwd: makeFolder() });
  expect(code).toBe(0);
  for (const word of ["doctor", "posthorn queue", "resume", "database-url", "dry-run"])
    expect(stdout).toContain(word);
  expect((await runCommand(["completion", "tcsh"], { cwd: makeFolder() })).code).toBe(2);
});

test("the completion for bash offers verbs, options once one is begun, and possible values", async () => {
  const lines: [string, string][] = [
    ["posthorn --port 1 queue r", "resume"],
    ["posthorn queue ", "status pause resume"],
    ["posthorn completion ", "bash zsh fish"],
    ["posthorn completion z", "zsh"],
    ["posthorn members set-role ada@example.com ", "admin editor viewer"],
    ["posthorn queue --dat", "--database-url"],
    ["posthorn queue --database-url ", ""],
    ["posthorn --database-url queue queue r", "resume"],
    ["posthorn --port = 1 queue r", "resume"],
    ["posthorn templates push ", "(files)"],
    ["posthorn emails show ", ""],
    ["posthorn queue status ", ""],
    ["posthorn --environment-file ", "(files)"],
    ["posthorn serve ", ""],
    ["posthorn templates push --workspace ", String.raw`welcome\ \$\(touch\ ran\)`],
    ["posthorn templates push mail --dry", "--dry-run"],
    ["posthorn templates push --dry-run --act", "--activate"],
    ["posthorn emails list --status s", "scheduled sending sent suppressed"],
    ["posthorn --format n", "ndjson"],
    // Names may come from anybody: they are offered quoted, and nothing in them is executed.
    ["posthorn templates show w", String.raw`welcome\ \$\(touch\ ran\)`],
    ["posthorn emails send --workspace 7 --template ", String.raw`welcome\ \$\(touch\ ran\) 7`],
    ["posthorn emails send --smtp-server w", String.raw`welcome\ \$\(touch\ ran\)`],
    // Not an API key's name.
    ["posthorn emails send --dedupe-key w", ""],
    // The words before stand as they were typed, with their quotes and backslashes.
    [
      String.raw`posthorn templates show --workspace 'The\ Shop' `,
      String.raw`welcome\ \$\(touch\ ran\) The\ Shop`,
    ],
    [`posthorn templates show --workspace = '"The Shop"' `, String.raw`welcome\ \$\(touch\ ran\) The\ Shop`],
    [String.raw`posthorn templates show 'welcome\ \$'`, String.raw`welcome\ \$\(touch\ ran\)`],
    // Between quotes a name stays as it is, so one that would be executed there is not offered.
    [`posthorn templates show --workspace 7 '"'`, "7"],
    ["posthorn campaigns show w", String.raw`welcome\ \$\(touch\ ran\)`],
    ["posthorn domains verify w", String.raw`welcome\ \$\(touch\ ran\)`],
    ["posthorn profiles login w", String.raw`welcome\ \$\(touch\ ran\)`],
    // Readline replaces what follows the last ":" or "=" of a word, or the last "@" and what follows it.
    ["posthorn webhooks show ht", String.raw`https://a.example\?b=c\ d`],
    ["posthorn webhooks show https :", String.raw`//a.example\?b=c\ d`],
    ["posthorn webhooks show https : //a", String.raw`//a.example\?b=c\ d`],
    [String.raw`posthorn webhooks show https : //a.example\\?b = `, String.raw`c\ d`],
    [`posthorn webhooks show '"https://a.example?b='`, "https://a.example?b=c d"],
    ["posthorn users show ada @ e", "@example.com"],
    ["posthorn users show other @ e", ""],
    ["posthorn members set-role ada @ example.com ", "admin editor viewer"],
    ["posthorn templates show --workspace =", String.raw`welcome\ \$\(touch\ ran\)`],
  ];
  const answers = await completeIn(
    "bash",
    lines.map(([line]) => line),
  );
  expect(answers.map((answer, at) => [lines[at]?.[0], answer])).toEqual(lines);
});

const isThere = (shell: string): boolean => existsSync(`/usr/bin/${shell}`) || existsSync(`/bin/${shell}`);

test.runIf(isThere("zsh"))(
  "the completion for zsh, sourced or autoloaded, offers names of existing things in their scope",
  async () => {
    const lines = [
      "posthorn --dev queue ",
      "posthorn templates show --workspace 7 ",
      "posthorn emails list --status ",
      "posthorn queue --",
      String.raw`posthorn templates show --workspace 'The\ Shop' `,
      `posthorn templates show --workspace="'The Shop'" `,
      "posthorn emails list --status=s",
    ];
    const [verbs, name, states, flags, inShop, alsoInShop, statesAgain] = await completeIn("zsh", lines);
    expect(verbs).toBe("status pause resume");
    expect(name).toBe("welcome $(touch ran) --workspace 7");
    expect(states).toContain("sending");
    expect(flags).toContain("--environment-file");
    expect(inShop).toBe("welcome $(touch ran) --workspace The Shop");
    expect(alsoInShop).toBe("welcome $(touch ran) --workspace The Shop");
    expect(statesAgain).toBe(states);
  },
);

test.runIf(isThere("fish"))(
  "the completion for fish offers names of existing things in their scope",
  async () => {
    const lines = [
      "posthorn --port 1 queue ",
      "posthorn --dev templates show --workspace 7 ",
      "posthorn emails list --status s",
      "posthorn plans assign one ",
      "posthorn templates show --workspace=7 ",
      "posthorn members set-role ada@example.com ",
      "posthorn templates push po",
      "posthorn --environment-file po",
      "posthorn emails send --attach po",
      "posthorn emails send --dedupe-key po",
      "posthorn emails show po",
    ];
    const [verbs, name, states, second, inSeven, roles, ...files] = await completeIn("fish", lines);
    expect(verbs).toBe("pause resume status");
    expect(name).toBe("welcome $(touch ran) --dev --workspace 7");
    expect(states).toBe("scheduled sending sent suppressed");
    expect(second, "a second argument of a verb that takes one has no names").toBe("");
    expect(inSeven).toBe("welcome $(touch ran) --workspace 7");
    expect(roles).toBe("admin editor viewer");
    expect(files, "files are offered where a path is due, and nowhere else").toEqual([
      "posthorn.fish",
      "posthorn.fish",
      "posthorn.fish",
    ]);
  },
);

test("Tab waits for no answer of a silent server, and reports nothing", async () => {
  const cwd = makeFolder();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const isLeft = new Promise<boolean>((resolve) => {
    server.on("connection", (socket) => {
      // Long before the client would give up.
      const timer = setTimeout(resolve, 15_000, false);
      socket.on("error", () => {}).on("close", () => resolve(true));
      socket.on("close", () => clearTimeout(timer)).resume();
    });
  });
  const { port } = server.address() as AddressInfo;
  const folder = join(cwd, ".config/posthorn");
  mkdirSync(folder, { recursive: true });
  const profiles = { silent: { url: `http://127.0.0.1:${port}`, token: "t" } };
  writeFileSync(join(folder, "profiles.json"), JSON.stringify(profiles), { mode: 0o600 });
  const names = ["completion", "names", "workspaces", "--profile", "silent"];
  const { ended, child } = startCommand(names, { cwd });
  onTestFinished(() => void child.kill("SIGKILL"));
  expect(await isLeft).toBe(true);
  expect(await ended).toEqual({ code: 0, stdout: "", stderr: "" });
});
