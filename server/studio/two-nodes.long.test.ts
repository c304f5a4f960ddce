process.env.NODE_IS_KILLED = "yes";
await import("./two-nodes.integration.test.ts");
