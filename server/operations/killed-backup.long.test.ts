process.env.KILLS_ACADEMY = "yes";
await import("./killed-backup.integration.test.ts");
