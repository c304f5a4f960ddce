process.env.CLOCK_MONTHS ??= "50";
await import("./clock-changes.integration.test.ts");
