process.env.RESTORE_CASES = "all";
await import("./killed-restore.integration.test.ts");
