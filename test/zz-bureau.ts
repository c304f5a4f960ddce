import { Visitor } from "#test/visitor.ts";
const v = await new Visitor("http://localhost:4460").signInAsDemo("admin@academy.test");
for (const path of process.argv.slice(2)) {
  for (let i = 0; i < 3; i++) {
  const t = performance.now();
  const r = await v.send("GET", path);
  const text = await r.text();
  console.log(r.status, path, (performance.now() - t).toFixed(0) + " ms", text.length, i==0? text.slice(0, 700):"");
  }
}
