// For `node --expose-gc --import`: a process that has loaded this says how much its heap holds when a signal asks.
process.on("SIGUSR2", () => {
  (globalThis as { gc?: () => void }).gc?.();
  console.log(`heap ${process.memoryUsage().heapUsed}`);
});
