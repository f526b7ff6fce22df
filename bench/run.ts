/** Runs all benches, or the named ones: `npm run bench -- accept deliver`. */
const benches: Record<string, () => Promise<{ run: () => Promise<void> }>> = {
  render: () => import("./render.ts"),
  accept: () => import("./accept.ts"),
  deliver: () => import("./deliver.ts"),
  queue: () => import("./queue.ts"),
  turns: () => import("./turns.ts"),
  memory: () => import("./memory.ts"),
  attachments: () => import("./attachments.ts"),
  batch: () => import("./batch.ts"),
  lists: () => import("./lists.ts"),
  "old-transaction": () => import("./old-transaction.ts"),
  postgres: () => import("./postgres.ts"),
  retention: () => import("./retention.ts"),
  distance: () => import("./distance.ts"),
  followers: () => import("./followers.ts"),
  "end-to-end": () => import("./end-to-end.ts"),
};

const named = process.argv.slice(2);
const unknown = named.find((name) => !Object.hasOwn(benches, name));
if (unknown === undefined) {
  for (const name of named.length === 0 ? Object.keys(benches) : named)
    await (await benches[name]?.())?.run();
} else {
  console.error(`There is no bench "${unknown}"; there are ${Object.keys(benches).join(", ")}.`);
  process.exitCode = 2;
}
