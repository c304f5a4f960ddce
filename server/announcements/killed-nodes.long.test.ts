process.env.CROWD ??= "10000";
await import("./killed-nodes.integration.test.ts");
