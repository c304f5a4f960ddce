process.env.CONVERSION_KILLS ??= "100";
await import("./faults.integration.test.ts");
