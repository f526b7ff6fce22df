import { readFileSync } from "node:fs";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import parsers from "@stoplight/spectral-parsers";
import rulesets from "@stoplight/spectral-rulesets";

/**
 * Lints the OpenAPI document with Spectral's recommended rules. Prints violations, and exits with 1 if there are any.
 */
const { Spectral, Document } = spectralCore;
const file = "packages/http/openapi.json";

const spectral = new Spectral();
spectral.setRuleset({
  // Its own declarations omit that a ruleset may extend nothing.
  extends: [rulesets.oas as unknown as RulesetDefinition],
  rules: {
    // The contact of a service is its operator's choice.
    "info-contact": "off",
  },
});

const faults = await spectral.run(new Document(readFileSync(file, "utf8"), parsers.Json, file));
for (const { code, path, message, range } of faults)
  console.error(`${file}:${range.start.line + 1} ${code}: ${path.join(".")}: ${message}`);
if (faults.length > 0) process.exitCode = 1;
