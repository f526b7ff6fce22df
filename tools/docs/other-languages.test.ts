import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { signatureHeaders } from "@posthorn/core";
import { expect, test } from "vitest";
import { readBlocks } from "./read-blocks.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"event":"email.sent"}';
const sent = signatureHeaders({ secrets: [secret], id: "1", timestamp: 0, body });
const root = join(import.meta.dirname, "../..");

/** What follows a block to call its function with a secret, a body and a signature from the command line. */
const languages = {
  python: {
    program: "python3",
    flag: "-c",
    call: "import sys\nprint(is_genuine(sys.argv[1], sys.argv[2].encode(), sys.argv[3]))",
    answers: ["True", "False"],
  },
  php: {
    program: "php",
    flag: "-r",
    call: "echo var_export(is_genuine($argv[1], $argv[2], $argv[3]));",
    answers: ["true", "false"],
  },
};

for (const [language, { program, flag, call, answers }] of Object.entries(languages)) {
  const isHere = spawnSync(program, ["--version"]).status === 0;
  test.skipIf(!isHere)(`docs/security.md verifies a signature in ${language}`, () => {
    const block = readBlocks(root, "docs/security.md").find((one) => one.language === language);
    const judge = (given: string): string => {
      const run = spawnSync(program, [
        flag,
        `${block?.text}\n${call}`,
        secret,
        given,
        sent["X-Service-Signature"] ?? "",
      ]);
      return String(run.stdout).trim();
    };
    expect([judge(body), judge(`${body} `)]).toEqual(answers);
  });
}
