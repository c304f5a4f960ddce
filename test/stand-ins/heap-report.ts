// For `node --expose-gc --import`: makes a process report its heap size on a signal.
process.on("SIGUSR2", () => {
  (globalThis as { gc?: () => void }).gc?.();
  console.log(`heap ${process.memoryUsage().heapUsed}`);
});
