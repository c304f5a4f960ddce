import { getCompileCacheDir } from "node:module";

/**
 * The environment with which a program or a thread shares this process's compile cache. Without it, its first file of
 * TypeScript loads the whole transpiler.
 */
export function compileCacheEnv(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder ? { NODE_COMPILE_CACHE: folder } : {};
}
