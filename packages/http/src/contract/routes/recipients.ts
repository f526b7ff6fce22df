import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { erasureWire } from "../wire/recipients.ts";
import { noContent } from "../wire/schemas.ts";

const { recipients } = useCases;

const path = "/workspaces/current/recipients";

/** Routes of recipients' data: export and erasure (platform.md P12). */
export const recipientRoutes = [
  route(`POST ${path}/erase`, recipients.erase, {
    summary: "Erase a recipient",
    status: 202,
    reply: erasureWire,
  }),
  route(`GET ${path}/{email}/export`, recipients.export, {
    summary: "Export a recipient's data",
    envelope: "file",
    reply: noContent,
  }),
] as const;
