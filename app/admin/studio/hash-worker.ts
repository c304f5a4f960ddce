import { createSHA256 } from "hash-wasm";

// Hashes a file of any size in a thread of its own, so that the page stays responsive.
self.addEventListener("message", async ({ data: file }: MessageEvent<File>) => {
  const sha256 = await createSHA256();
  const reader = file.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) sha256.update(part.value);
  self.postMessage(sha256.digest("hex"));
});
