process.env.CROWD ??= "10000";
await import("./crowd.integration.test.ts");
