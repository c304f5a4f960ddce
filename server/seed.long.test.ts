process.env.SEED_KILLS ??= "all";
await import("./seed.integration.test.ts");
