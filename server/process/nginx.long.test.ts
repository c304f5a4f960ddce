import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { freePort } from "#test/free-port.ts";
import { restartInTurn } from "#test/restarts.ts";

const nginx = "nginx";
const isInstalled = spawnSync(nginx, ["-v"]).error === undefined;
const page = readFileSync(fileURLToPath(new URL("../../deploy/nginx.conf", import.meta.url)), "utf8");

/** The file of docs/ with this machine's ports and without certificates. */
function configurationFor(port: number, nodes: readonly number[]): string {
  const upstreams = nodes.map((node) => `server 127.0.0.1:${node} max_fails=0;`).join("\n");
  const body = page
    .replace(/( *server 172\.30\.0\.\d+:3000 max_fails=0;\n)+/, `${upstreams}\n`)
    .replace(/server \{\n {2}listen 80;[\s\S]*?\n\}\n/, "")
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    .replace(/ *ssl_certificate\w* .*\n/g, "")
    .replace("server_name academy.example;", "server_name localhost;")
    .replaceAll("Host $host;", "Host $http_host;");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`);
  return `daemon off;\npid nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${temporary.join("\n")}\n${body}}\n`;
}

test.skipIf(!isInstalled)(
  "two nodes behind Debian's nginx restart in turn without one request that fails [I11]",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "academy-nginx-"));
    const port = await freePort();
    let running: ChildProcess | undefined;
    try {
      const { answered, failures } = await restartInTurn(`http://localhost:${port}`, async (nodes) => {
        const file = join(folder, "nginx.conf");
        writeFileSync(file, configurationFor(port, nodes));
        const args = ["-p", folder, "-c", file, "-e", join(folder, "error.log")];
        execFileSync(nginx, [...args, "-t"], { stdio: "pipe" });
        running = spawn(nginx, args, { stdio: "ignore" });
        return {
          async [Symbol.asyncDispose]() {
            if (!running || running.exitCode !== null) return;
            running.kill("SIGTERM");
            await once(running, "exit");
          },
        };
      });
      expect(failures).toEqual([]);
      expect(answered).toBeGreaterThan(100);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
