// For `node --import`: makes the process throw an unhandled error on a signal.
process.on("SIGUSR2", () => void Promise.reject(new Error("a stray rejection")));
process.on("SIGHUP", () => {
  throw new Error("a stray exception");
});
