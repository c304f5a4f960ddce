// For `node --import`: a process that has loaded this fails when a signal says so, as a mistake in its own code would.
process.on("SIGUSR2", () => void Promise.reject(new Error("a stray rejection")));
process.on("SIGHUP", () => {
  throw new Error("a stray exception");
});
