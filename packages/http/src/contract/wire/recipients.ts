import type { ErasureView } from "@posthorn/core";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named } from "./schemas.ts";

/** Extent of a recipient's erasure (platform.md P12). */
export const erasureWire = wire(
  named("Erasure", z.object({ emails: integer, campaigns: integer, events: integer })),
  ({ emails, campaigns, events }: ErasureView) => ({ emails, campaigns, events }),
);
