import { z } from "zod";
import { timeField } from "../calls/input/time-fields.ts";
import { type Page, pagesOf, paging } from "../calls/paging.ts";
import { useCase } from "../calls/use-case.ts";
import { type EventType, eventKinds } from "../events.ts";
import { eventCategory, type LoggedEvent, viewEvent } from "./event-view.ts";

const pages = pagesOf("events");

/**
 * The category of a type, unless it is an e-mail's: the others' events are few, and an index finds them by their category.
 * By a type alone, the whole log would be read for one that is rare.
 */
const categoryOf = (type: string) => {
  const kind = Object.hasOwn(eventKinds, type) ? eventKinds[type as EventType] : undefined;
  return kind === undefined || kind.category === "email" ? undefined : kind.category;
};

/** Lists all events of the platform, newest first (service.md, Audit logs and events). */
export const listEvents = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({
    ...paging,
    category: eventCategory.optional().describe("Lists only events of this category."),
    type: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe("Lists only events of this type, such as user.login."),
    workspaceId: z.int().positive().optional().describe("Lists only events of this workspace."),
    since: timeField.optional().describe("Lists only events at or after this time, ISO 8601 with an offset."),
  }),
  async run({ storage }, input): Promise<Page<LoggedEvent>> {
    const { type, since, workspaceId = "all" as const } = input;
    const category = input.category ?? (type === undefined ? undefined : categoryOf(type));
    const filter = { category, type, since, workspaceId };
    return pages.pageOf(await storage.events.list(filter, pages.sliceOf(input)), input, viewEvent);
  },
});
