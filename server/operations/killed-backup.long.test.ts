process.env.BACKUP_KILLS = "2";
await import("./killed-backup.integration.test.ts");
