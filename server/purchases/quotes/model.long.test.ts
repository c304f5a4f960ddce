process.env.UPGRADE_LIVES ??= "100000";
await import("./model.test.ts");
