process.env.KILLED_WRITES ??= "8";
await import("./killed-writes.integration.test.ts");
