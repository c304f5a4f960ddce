process.env.IMPORT_ROWS ??= "10000";
await import("./killed-imports.integration.test.ts");
