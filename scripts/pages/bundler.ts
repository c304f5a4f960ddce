/** Bundler options of both builds. */
export const bundlerOptions = {
  // Radix sets function names by calls of `__name`. Treated as side effects, they would keep unused code in the bundle:
  // 3 kB (brotli) on the dashboard.
  treeshake: { manualPureFunctions: ["__name"] },
  // A warning of a slow machine, not of the code.
  checks: { bundlerTimings: false },
};
