process.env.MERGE_RUNS ??= "200";
await import("./merge.integration.test.ts");
