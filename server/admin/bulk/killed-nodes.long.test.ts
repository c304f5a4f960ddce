process.env.BULK_PEOPLE ??= "400";
await import("./killed-nodes.integration.test.ts");
