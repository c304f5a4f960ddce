import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

/**
 * The environment that tests pass to our programs. Enables Node's compile cache, next to that of `npm start`, which
 * makes starts a third faster.
 */
export const programEnv = {
  PATH: process.env.PATH,
  TMPDIR: tmpdir(),
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)),
};
