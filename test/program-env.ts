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

/** Makes the product wait for a busy machine, unless `env` sets 1, because a limit is the subject. */
export const patient = (env: Record<string, string>): Record<string, string> => ({
  // Production refuses it.
  ...(env.MODE !== "production" && { TIME_LIMIT_FACTOR: "20" }),
  ...env,
});
