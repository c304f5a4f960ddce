process.env.WORKER_KILLS ??= "12";
await import("./workers.integration.test.ts");
