/**
 * The oldest versions that the academy supports. The build lowers styles and scripts to them, and
 * test/browsers.integration.test.ts checks what it made.
 */
const oldest = { safari: "16.4", firefox: "121", chrome: "111" } as const;

/** By their names in the build's options. @internal */
export const oldestBrowsers = { ...oldest, ios: oldest.safari, edge: oldest.chrome } as const;

/** @internal */
export const buildTargets = Object.entries(oldestBrowsers).map(([name, version]) => name + version);

export const supportedBrowsers = `Safari or iOS ${oldest.safari}, Firefox ${oldest.firefox}, Chrome or Edge ${oldest.chrome}, or newer`;
