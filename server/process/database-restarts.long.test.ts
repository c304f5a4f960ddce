process.env.DATABASE_RESTARTS ??= "100";
await import("./database-restarts.integration.test.ts");
