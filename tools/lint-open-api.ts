import { readFileSync } from "node:fs";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import parsers from "@stoplight/spectral-parsers";
import rulesets from "@stoplight/spectral-rulesets";

/** Holds the OpenAPI document to Spectral's recommended rules. Prints what breaks one, and ends with 1 then. */
const { Spectral, Document } = spectralCore;
const file = "packages/http/openapi.json";

const spectral = new Spectral();
spectral.setRuleset({
  // Its own declarations leave out that a set may extend nothing.
  extends: [rulesets.oas as unknown as RulesetDefinition],
  rules: {
    // Whom to turn to about a service is its operator's to say.
    "info-contact": "off",
  },
});

const faults = await spectral.run(new Document(readFileSync(file, "utf8"), parsers.Json, file));
for (const { code, path, message, range } of faults)
  console.error(`${file}:${range.start.line + 1} ${code}: ${path.join(".")}: ${message}`);
if (faults.length > 0) process.exitCode = 1;
