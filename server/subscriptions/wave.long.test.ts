process.env.WAVE ??= "2000";
await import("./wave.integration.test.ts");
