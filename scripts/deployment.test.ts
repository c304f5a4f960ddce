import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), "utf8");
const compose = read("deploy/compose.yaml");

test("image and unit run Node as npm start does", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: { start: string } };
  const [, allocator, options] = scripts.start.match(/^(\S+) exec node \S+ --runtime (.*)$/) ?? [];
  expect(read("deploy/academy.service")).toContain(`ExecStart=node ${options}\n`);
  const words = ["node", ...(options ?? "").split(" ")].map((word) => `"${word}"`).join(", ");
  expect(read("deploy/Dockerfile")).toContain(`\nCMD [${words}]\n`);
  for (const file of ["deploy/academy.service", "deploy/Dockerfile"]) expect(read(file)).toContain(allocator);
});

test("an operator's command runs as the unit does", () => {
  const [, command = ""] = read("deploy/academy").split("exec systemd-run");
  const unit = read("deploy/academy.service");
  for (const [, name] of command.matchAll(/--setenv=(\S+)/g))
    expect(unit).toMatch(new RegExp(`^Environment=.*${name}`, "m"));
  const settings = [...command.matchAll(/--property=(\S+)/g), ...command.matchAll(/--(?:uid|gid)=(\S+)/g)];
  expect(settings.length).toBe(6);
  for (const [, setting] of settings) expect(unit).toMatch(new RegExp(`^(User=|Group=)?${setting}$`, "m"));
  for (const [program] of command.matchAll(/scripts\/\S+/g)) expect(read(program)).not.toBe("");
});

test("files for operators set variables that the academy knows", () => {
  const known = new Set(
    read(".env.example")
      .match(/^# ?[A-Z0-9_]+(?==)/gm)
      ?.map((name) => name.replace(/# ?/, "")),
  );
  const ofNodes = compose.match(/node-environment\n([\s\S]*?)\n {2}read_only/)?.[1] ?? "";
  const ofUnit = read("deploy/academy.service").match(/^Environment=(.*)$/m)?.[1] ?? "";
  const ofImage = read("deploy/Dockerfile").match(/^ENV (.*)$/m)?.[1] ?? "";
  const names = [...`${ofNodes}\n${ofUnit} ${ofImage}`.matchAll(/(?:^ *|\s)([A-Z0-9_]+)(?=[:=])/gm)].map(
    ([, name]) => name,
  );
  expect(names).toContain("S3_ENDPOINT");
  expect(names.filter((name) => name !== "MALLOC_ARENA_MAX" && !known.has(name ?? ""))).toEqual([]);
});

test("nginx asks the addresses that compose.yaml gives to the nodes and the store", () => {
  const given = [...compose.matchAll(/ipv4_address: (\S+?) /g)].map(([, address]) => address);
  const asked = [...read("deploy/nginx.conf").matchAll(/server (\S+):3000/g)].map(([, address]) => address);
  const store = read("deploy/nginx-files.conf").match(/proxy_pass http:\/\/(\S+):7070/)?.[1];
  expect(given).toEqual([...asked, store]);
});

test("nginx copies no answer to its disk, however slowly it is read", () => {
  const [, server] = read("deploy/nginx.conf").match(/\n {2}listen 443.*?\n(.*)/s) ?? [];
  expect(server?.split(/^ {2}location /m)[0]).toContain("\n  proxy_max_temp_file_size 0;\n");
  expect(server?.match(/proxy_max_temp_file_size/g)).toHaveLength(1);
});

test("no image is whatever its maker pushed last", () => {
  const images = [...compose.matchAll(/^ +image: (\S+)$/gm)].map(([, image]) => image);
  expect(images.length).toBeGreaterThanOrEqual(3);
  for (const image of images) expect(image).toMatch(/:(?!latest$)[\w.-]+$/);
});

test("nginx lets the nodes alone reach the object store", () => {
  const rules = [...read("deploy/nginx-files.conf").matchAll(/^ {2}(?:allow|deny) (\S+);$/gm)].map(([, who]) => who);
  const nodes = [...compose.matchAll(/node-\d:\n(?: {4}.*\n)*? .*ipv4_address: (\S+?) /g)].map(
    ([, address]) => address,
  );
  expect(nodes).toHaveLength(2);
  expect(rules).toEqual([...nodes, "all"]);
});
