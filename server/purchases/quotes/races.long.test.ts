process.env.QUOTE_RACES ??= "334";
await import("./races.integration.test.ts");
