/** What both builds tell the bundler. */
export const bundlerOptions = {
  // Radix names each function a second time, by a call, for its developers. Calls that might do something would keep what
  // nobody uses in the bundle: 3 kB (brotli) on the dashboard, most of it a kind of list that comes with the tabs.
  treeshake: { manualPureFunctions: ["__name"] },
  // A warning of a slow machine, not of the code.
  checks: { bundlerTimings: false },
};
