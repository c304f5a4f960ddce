process.env.SEQUENCE_RACES ??= "1000";
await import("./races.integration.test.ts");
