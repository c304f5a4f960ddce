process.env.CROWD ??= "500";
await import("./killed-nodes.integration.test.ts");
