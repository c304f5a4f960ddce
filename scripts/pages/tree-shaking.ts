/**
 * Radix names each function a second time, by a call, for its developers. Calls that might do something would keep what
 * nobody uses in the bundle: 3 kB (brotli) on the dashboard, most of it a kind of list that comes with the tabs.
 */
export const treeshake = { manualPureFunctions: ["__name"] };
