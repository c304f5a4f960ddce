import { expect } from "vitest";
import { deleteResource, moveResource, type Resource, updateResource } from "#contract/resources.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { samples, upload, uploadForm } from "#test/uploads/uploads.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();
const students = new Map<string, Visitor>();
for (const name of ["new", "basic", "premium", "vip", "held", "suspended"]) {
  students.set(name, await academy.visitor().signInAsDemo(`${name}@academy.test`));
}

const student = (name: string) => students.get(name) ?? academy.visitor();
const pdf = { name: "plan.pdf", content: samples.pdf };
const listOf = async (visitor: Visitor, query = "") =>
  (await (await visitor.send("GET", `/api/resources${query}`)).json()) as Resource[];
const statusOf = async (visitor: Visitor, path: string) => {
  const response = await visitor.send("GET", path);
  await response.arrayBuffer();
  return response.status;
};

test("what an administrator uploads is listed by module and lesson, and comes back byte for byte", async () => {
  const place = { moduleId: "module-2", lessonId: "lesson-2-1", description: "Where to begin", requiredTier: "basic" };
  const [uploaded] = await upload(admin, [{ name: "Aisle map.xlsx", content: samples.xlsx }], {
    ...place,
    title: "  Aisle map ",
  });
  expect(uploaded).toMatchObject({
    ...place,
    title: "Aisle map",
    fileName: "Aisle map.xlsx",
    fileType: "excel",
    fileSize: samples.xlsx.length,
    downloadCount: 0,
    isActive: true,
  });
  const byId = (list: Resource[]) => list.find(({ id }) => id === uploaded?.id);
  for (const query of ["", "?moduleId=module-2", "?lessonId=lesson-2-1", "?moduleId=module-2&lessonId=lesson-2-1"]) {
    expect(byId(await listOf(student("basic"), query))?.fileUrl, query).toBe(`/api/download/${uploaded?.id}`);
  }
  expect(byId(await listOf(student("basic"), "?moduleId=module-1"))).toBeUndefined();
  expect(await listOf(student("basic"), "?moduleId=4")).toEqual([]);

  const file = await student("basic").send("GET", uploaded?.fileUrl ?? "");
  expect(Buffer.from(await file.arrayBuffer()).equals(samples.xlsx)).toBe(true);
  // The team's downloads are not counted.
  expect(await statusOf(admin, uploaded?.fileUrl ?? "")).toBe(200);
  expect((await listOf(admin)).find(({ id }) => id === uploaded?.id)?.downloadCount).toBe(1);
});

test("several files of one upload become one resource each, named by title and file", async () => {
  const files = [pdf, { name: "sums.xls", content: samples.xls }, { name: "all.zip", content: samples.zip }];
  const response = await admin.send("POST", "/api/upload-resource", uploadForm(files, { title: "Packing set" }));
  const body = (await response.json()) as { message: string; resources: Resource[] };
  expect(body.message).toBe("3 resources uploaded successfully!");
  expect(body.resources.map(({ title, fileType }) => [title, fileType])).toEqual([
    ["Packing set: plan.pdf", "pdf"],
    ["Packing set: sums.xls", "excel"],
    ["Packing set: all.zip", "other"],
  ]);
});

test("when one file of several is refused nothing of the upload is kept [U09]", async () => {
  const before = await listOf(admin);
  const files = [pdf, { name: "bad.pdf", content: Buffer.from("<html>") }, pdf];
  const response = await admin.send("POST", "/api/upload-resource", uploadForm(files));
  expect(response.status).toBe(415);
  expect(await response.json()).toMatchObject({ message: "“bad.pdf” is not a PDF file, whatever its name says." });
  expect(await listOf(admin)).toEqual(before);
});

test.each([
  [{ title: " " }, "title"],
  [{ moduleId: "" }, "moduleId"],
  [{ requiredTier: "" }, "requiredTier"],
  [{ requiredTier: "gold" }, "requiredTier"],
  [{ moduleId: "module-9" }, "moduleId"],
  [{ lessonId: "lesson-2-1" }, "lessonId"],
])("an upload with %o is refused with the field %s named", async (fields, field) => {
  const response = await admin.send("POST", "/api/upload-resource", uploadForm([pdf], fields));
  expect(response.status).toBe(400);
  const problem = (await response.json()) as { message: string; errors: Record<string, string[]> };
  expect(Object.keys(problem.errors)).toEqual([field]);
  if (Object.values(fields)[0]?.trim() === "") expect(problem.message).toBe("Please fill in all required fields.");
});

test("an upload without a file is refused, with `error` in the answer", async () => {
  const response = await admin.send("POST", "/api/upload-resource", uploadForm([]));
  expect(response.status).toBe(400);
  const error = "Please fill in all required fields.";
  expect(await response.json()).toMatchObject({ message: error, error });
  const refused = await student("vip").send("POST", "/api/upload-resource", uploadForm([pdf]));
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ error: "You don't have administrator privileges to access this page." });
});

test("the list and the download apply the same rules of tier and account [Z09 Z10]", async () => {
  const table = {
    basic: { new: 403, basic: 200, premium: 200, vip: 200, held: 403, suspended: 403 },
    premium: { new: 403, basic: 403, premium: 200, vip: 200, held: 403, suspended: 403 },
    vip: { new: 403, basic: 403, premium: 403, vip: 200, held: 403, suspended: 403 },
  };
  for (const [requiredTier, expected] of Object.entries(table)) {
    const [resource] = await upload(admin, [pdf], { requiredTier, title: `For ${requiredTier}` });
    for (const [name, status] of Object.entries(expected)) {
      const path = `/api/download/${resource?.id}`;
      expect(await statusOf(student(name), path), `${name} ${requiredTier}`).toBe(status);
      if (name === "held" || name === "suspended") continue;
      const listed = (await listOf(student(name))).find(({ id }) => id === resource?.id);
      expect(listed).toMatchObject({ title: `For ${requiredTier}`, requiredTier, isUnlocked: status === 200 });
      expect(listed?.fileUrl, `${name} ${requiredTier}`).toBe(status === 200 ? path : null);
    }
    const locked = await student("new").send("GET", `/api/download/${resource?.id}`);
    expect(await locked.json()).toMatchObject({ message: `This resource requires ${requiredTier} tier access.` });
    expect(await statusOf(academy.visitor(), `/api/download/${resource?.id}`)).toBe(401);
    expect(await statusOf(admin, `/api/download/${resource?.id}`)).toBe(200);
  }
  expect(await statusOf(student("held"), "/api/resources")).toBe(403);
});

test("deleted, inactive and invented ids answer alike, whatever they look like [Z13 U18]", async () => {
  const [kept, gone] = await upload(admin, [pdf, pdf]);
  await academy.pool.query("update course_resources set is_active = false where id = $1", [kept?.id]);
  expect((await admin.call(deleteResource, { params: { id: gone?.id ?? "" } })).status).toBe(200);
  const bodies = new Set<string>();
  const invented = ["0".repeat(20), "1", "-1", "1e9", "abc%00", "..%2f..%2fetc%2fpasswd", "%F0%9F%92%A5"];
  for (const id of [kept?.id, gone?.id, ...invented]) {
    const response = await student("vip").send("GET", `/api/download/${id}`);
    expect(response.status, id).toBe(404);
    const { requestId: _, ...body } = (await response.json()) as { requestId: string };
    bodies.add(JSON.stringify(body));
  }
  expect(bodies.size).toBe(1);
  expect((await listOf(student("vip"))).map(({ id }) => id)).not.toContain(kept?.id);
  expect((await listOf(admin)).map(({ id }) => id)).toContain(kept?.id);
});

test.each([
  ["module", "modules", "module-3"],
  ["lesson", "lessons", "lesson-3-1"],
])("the resources of a %s that is not released are the administrator's alone", async (_, table, id) => {
  const belongsTo = { moduleId: "module-3", lessonId: "lesson-3-1" };
  const details = { title: "Not yet", description: null, requiredTier: "basic" as const, ...belongsTo };
  const [hidden] = await upload(admin, [pdf], { ...details, description: "" });
  const isListedFor = async (visitor: Visitor) => (await listOf(visitor)).some((one) => one.id === hidden?.id);
  expect(await isListedFor(student("vip"))).toBe(true);
  await academy.pool.query(`update ${table} set released = false where id = $1`, [id]);
  expect([await isListedFor(student("vip")), await isListedFor(admin)]).toEqual([false, true]);
  expect(await statusOf(student("vip"), `/api/download/${hidden?.id}`)).toBe(404);
  const change = { params: { id: hidden?.id ?? "" }, body: { ...details, title: "Soon" } };
  expect((await admin.call(updateResource, change)).body.title).toBe("Soon");
  await academy.pool.query(`update ${table} set released = true where id = $1`, [id]);
  expect(await statusOf(student("vip"), `/api/download/${hidden?.id}`)).toBe(200);
});

test("each download checks access: a held student cannot use an old address [Z11]", async () => {
  const buyer = await academy.member("premium");
  const [resource] = await upload(admin, [pdf], { requiredTier: "premium" });
  const path = `/api/download/${resource?.id}`;
  expect(await statusOf(buyer, path)).toBe(200);
  await academy.pool.query("update users set account_status = 'on_hold' where email = $1", [buyer.email]);
  expect(await statusOf(buyer, path)).toBe(403);
});

test("ambiguous queries are refused [F08]", async () => {
  for (const query of ["?moduleId=module-1&moduleId=module-4", "?moduleId[]=module-4", "?tier=vip"]) {
    expect(await statusOf(student("basic"), `/api/resources${query}`), query).toBe(400);
  }
});

test("a lesson's resources are listed in the order of their upload until an administrator moves one", async () => {
  const place = { moduleId: "module-3", lessonId: "lesson-3-2" };
  const named = async (title: string) => (await upload(admin, [pdf], { ...place, title }))[0]?.id ?? "";
  const [first, second, third] = [await named("First"), await named("Second"), await named("Third")];
  const shown = async () =>
    (await listOf(student("vip"), "?lessonId=lesson-3-2")).map(({ id }) => id).filter((id) => ids.includes(id));
  const ids = [first, second, third];
  expect(await shown()).toEqual([first, second, third]);
  const move = { params: { id: third }, body: { before: first } };
  expect((await admin.call(moveResource, move)).status).toBe(200);
  expect(await shown()).toEqual([third, first, second]);
  ids.push(await named("Fourth"));
  expect(await shown()).toEqual([third, first, second, ids[3]]);

  const [elsewhere] = await upload(admin, [pdf], { moduleId: "module-3" });
  const refused = await admin.call(moveResource, { params: { id: first }, body: { before: elsewhere?.id ?? "" } });
  expect(refused.status).toBe(404);
  const { rows } = await academy.pool.query("select after from audit_log where action = 'move resource'");
  expect(rows).toEqual([{ after: { order: expect.arrayContaining(["Third", "First", "Second"]) } }]);

  const body = { ...place, title: "From elsewhere", description: "", requiredTier: "vip" } as const;
  expect((await admin.call(updateResource, { params: { id: elsewhere?.id ?? "" }, body })).status).toBe(200);
  ids.push(elsewhere?.id ?? "");
  expect(await shown()).toEqual([third, first, second, ids[3], elsewhere?.id]);
});

test("simultaneous moves in one lesson all succeed, and no two resources get one position", async () => {
  const place = { moduleId: "module-3", lessonId: "lesson-3-3" };
  const ids: string[] = [];
  for (const title of ["One", "Two", "Three", "Four"])
    ids.push((await upload(admin, [pdf], { ...place, title }))[0]?.id ?? "");
  const pairs = ids.flatMap((id) => ids.filter((other) => other !== id).map((before) => ({ id, before })));
  const moves = await Promise.all(
    pairs.map(({ id, before }) => admin.call(moveResource, { params: { id }, body: { before } })),
  );
  expect(moves.map(({ status }) => status)).toEqual(pairs.map(() => 200));
  const { rows } = await academy.pool.query(
    "select position from course_resources where lesson_id = 'lesson-3-3' order by position",
  );
  expect(rows).toEqual(rows.map((_, position) => ({ position })));
});

test("a resource's details are changed but for a newer version, and each change is in the audit log", async () => {
  const [resource] = await upload(admin, [pdf]);
  const { id = "", version = "" } = resource ?? {};
  const params = { id };
  const body = { moduleId: "module-3", lessonId: "lesson-3-1", title: "New", description: "", requiredTier: "vip" };
  const changed = await admin.call(updateResource, { params, query: { version }, body });
  expect(changed).toMatchObject({ status: 200, body: { ...body, description: null, fileName: "plan.pdf" } });
  expect(changed.body.version).not.toBe(version);
  const late = await admin.call(updateResource, { params, query: { version }, body: { ...body, title: "Late" } });
  expect(late).toMatchObject({
    status: 409,
    body: { code: "conflict", message: expect.stringContaining("Someone changed") },
  });
  const newer = { version: changed.body.version };
  expect(await listOf(admin)).toContainEqual(expect.objectContaining({ id, title: "New", ...newer }));
  expect((await admin.call(updateResource, { params, query: newer, body: { ...body, title: "Newer" } })).status).toBe(
    200,
  );
  for (const wrong of [
    { title: "" },
    { moduleId: "" },
    { requiredTier: "" },
    { lessonId: "lesson-1-1" },
    { id: "x" },
  ]) {
    const refused = await admin.call(updateResource, { params, body: { ...body, ...wrong } });
    expect(refused.status, JSON.stringify(wrong)).toBe(400);
  }
  await admin.call(deleteResource, { params });
  expect((await admin.call(updateResource, { params, body })).status).toBe(404);
  expect((await admin.call(deleteResource, { params })).status).toBe(404);
  const actions = "select action from audit_log where subject = $1 order by created_at";
  const { rows } = await academy.pool.query(actions, [id]);
  const changes = ["change resource", "change resource"];
  expect(rows.map(({ action }) => action)).toEqual(["upload resource", ...changes, "delete resource"]);
});
