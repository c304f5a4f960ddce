import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Tests a file's path within the repository, so that the repository's own path never matches. */
export function ofPath(pattern: RegExp, repository = root): (id: string) => boolean {
  return (id) => pattern.test(id.startsWith(repository) ? id.slice(repository.length - 1) : id);
}

/** Bundler options of both builds. */
export const bundlerOptions = {
  // Radix sets function names by calls of `__name`. Treated as side effects, they would keep unused code in the bundle:
  // 3 kB (brotli) on the dashboard.
  treeshake: { manualPureFunctions: ["__name"] },
  // A warning of a slow machine, not of the code.
  checks: { bundlerTimings: false },
};
