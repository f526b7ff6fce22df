#!/usr/bin/env node
// Plain JavaScript that any Node can parse: the version is checked before anything native or modern is loaded.
const [major, minor] = process.versions.node.split(".").map(Number);
// On Bun a stop takes half a minute, and on Deno connections to a mail server may stand still: neither says so.
const other = ["bun", "deno"].find((name) => process.versions[name] !== undefined);
if (other !== undefined) {
  process.stderr.write(
    `posthorn runs on Node 22.19 or newer, and this is ${other} ${process.versions[other]}. Run it with node, or through npx.\n`,
  );
  process.exitCode = 1;
} else if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `posthorn needs Node 22.19 or newer, and this is Node ${process.versions.node}. Install a newer one, or run it through npx in a project that has the "node" package.\n`,
  );
  process.exitCode = 1;
} else {
  // The kernel keeps signals without a listener from a container's first process: a stop that comes before the command
  // listens, or while one runs that never does, would wait for the kill.
  if (process.pid === 1) {
    for (const [name, code] of [
      ["SIGHUP", 129],
      ["SIGINT", 130],
      ["SIGQUIT", 131],
      ["SIGTERM", 143],
    ]) {
      process.on(name, () => {
        if (process.listenerCount(name) === 1) process.exit(code);
      });
    }
  }
  const { enableCompileCache, registerHooks } = await import("node:module");
  const installed = import.meta.url.includes("/node_modules/");
  // The compiled code is kept between runs, which halves the time to a first line; where that can't be, nothing is lost.
  const { fileURLToPath } = await import("node:url");
  const cache = installed ? "../../.cache/posthorn" : "../../../node_modules/.cache/posthorn";
  enableCompileCache(fileURLToPath(new URL(cache, import.meta.url)));
  // Where an error came from is asked in lines of the source.
  if (process.argv.includes("--debug")) process.setSourceMapsEnabled(true);
  if (!installed) {
    // In a checkout the command runs on the TypeScript source of all packages, without a build.
    registerHooks({
      resolve: (specifier, context, next) =>
        next(specifier, { ...context, conditions: [...context.conditions, "posthorn-source"] }),
    });
  }
  const { isMainThread } = await import("node:worker_threads");
  try {
    if (isMainThread) {
      const { main } = await import(installed ? "../dist/index.js" : "../src/index.ts");
      await main(process.argv.slice(2));
    } else {
      const { runDelivery } = await import(
        installed ? "../dist/delivery-thread.js" : "../src/service/delivery/delivery-thread.ts"
      );
      await runDelivery();
    }
  } catch (error) {
    if (error?.code !== "EMFILE") throw error;
    process.stderr.write(
      "posthorn may not open as many files as it has. Raise the limit, such as with ulimit -n 1024, or LimitNOFILE of a systemd unit.\n",
    );
    process.exitCode = 1;
  }
}
