process.env.UPLOAD_ROUNDS ??= "12";
await import("./killed-uploads.integration.test.ts");
