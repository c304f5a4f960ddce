import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openProgram, type Program } from "./stand-ins/program.ts";

const nginx = "nginx";
const page = readFileSync(fileURLToPath(new URL("../deploy/nginx.conf", import.meta.url)), "utf8");

export const isNginxInstalled = spawnSync(nginx, ["-v"]).error === undefined;

/** Debian's nginx in front of the nodes at these ports, with the configuration of `deploy/`. */
export async function openNginx(
  port: number,
  nodes: readonly number[],
): Promise<{ readonly errorLog: string; readonly accessLog: string } & Program> {
  const folder = mkdtempSync(join(tmpdir(), "academy-nginx-"));
  const file = join(folder, "nginx.conf");
  const errorLog = join(folder, "error.log");
  const accessLog = join(folder, "academy.log");
  writeFileSync(file, configurationFor(port, nodes));
  const args = ["-p", folder, "-c", file, "-e", errorLog];
  execFileSync(nginx, [...args, "-t"], { stdio: "pipe" });
  return Object.assign(await openProgram({ command: nginx, args, port, folder }), { errorLog, accessLog });
}

/** The configuration of deploy/ with these ports and without certificates. */
function configurationFor(port: number, nodes: readonly number[]): string {
  const upstreams = nodes.map((node) => `server 127.0.0.1:${node} max_fails=0;`).join("\n");
  const body = page
    .replace(/( *server 172\.30\.0\.\d+:3000 max_fails=0;\n)+/, `${upstreams}\n`)
    .replace(/server \{\n {2}listen 80;[\s\S]*?\n\}\n/, "")
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    .replace(/ *ssl_certificate\w* .*\n/g, "")
    .replace(/ *error_log .*\n/, "")
    .replace("/var/log/nginx/", "")
    .replace("server_name academy.example;", "server_name localhost;")
    .replaceAll("Host $host;", "Host $http_host;");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`);
  // Its workers write large bodies to the folder, which belongs to the user who runs the test.
  const user = process.getuid?.() === 0 ? "user root;\n" : "";
  return `daemon off;\n${user}pid nginx.pid;\nevents {}\nhttp {\n${temporary.join("\n")}\n${body}}\n`;
}
