import { createInterface } from "node:readline/promises";
import { OperationRefused } from "#server/operations/connect-database.ts";
import { runCommand } from "./commands.ts";

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  output: console,
  progress: process.stderr.isTTY ? (text) => void process.stderr.write(`\r\x1b[K${text}`) : null,
  ask: process.stdin.isTTY ? ask : null,
  interrupted(sentence) {
    const interruption = new AbortController();
    const stop = () => interruption.abort(new OperationRefused(sentence));
    process.once("SIGINT", stop).once("SIGTERM", stop);
    return interruption.signal;
  },
});

async function ask(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("Type yes to go on: ");
  terminal.close();
  return answer.trim() === "yes";
}
