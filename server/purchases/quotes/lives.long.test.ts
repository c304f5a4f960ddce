process.env.UPGRADE_LIVES ??= "100000";
await import("./lives.test.ts");
