process.env.CHAOS_ROUNDS ??= "20";
await import("./chaos.integration.test.ts");
