import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "../program/errors/cli-error.ts";

/** Packages of a file's own project, never ours. */
export interface Project {
  /** Loads a package. Throws a usage error that says what to install. */
  load(name: string): Promise<Record<string, unknown>>;
  /**
   * Returns the `node_modules` folder of the package, where generated files can import the project's packages. Throws
   * as `load` does.
   */
  modulesOf(name: string): string;
}

/** Finds the project of a file; its packages may be in any folder above. */
export function projectOf(file: string): Project {
  const { resolve: find } = createRequire(resolve(file));
  const locate = (name: string): string => {
    try {
      return find(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
      throw new CliError(
        "usage",
        `${file} needs the package ${name}, which its project does not have.`,
        `Install it there: npm install --save-dev ${name}`,
        { cause: error },
      );
    }
  };
  return {
    async load(name) {
      const loaded: Record<string, unknown> = await import(pathToFileURL(locate(name)).href);
      return loaded;
    },
    modulesOf(name) {
      let folder = dirname(locate(name));
      while (!folder.endsWith(join("node_modules", name))) {
        const above = dirname(folder);
        if (above === folder) throw new CliError("failed", `${name} is not in a folder node_modules.`);
        folder = above;
      }
      return folder.slice(0, -name.length - 1);
    },
  };
}
