process.env.COACHING_CROWD ??= "200";
await import("./races.integration.test.ts");
