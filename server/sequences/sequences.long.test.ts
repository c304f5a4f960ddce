process.env.SEQUENCE_PEOPLE ??= "500";
process.env.SEQUENCE_DAYS ??= "60";
await import("./sequences.integration.test.ts");
