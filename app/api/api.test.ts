import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { listening } from "#test/listening.ts";
import { ApiError, api, faultsIn, messageOf } from "./api.ts";

interface Seen {
  method: string | undefined;
  url: string | undefined;
  type: string | undefined;
  body: string;
}

let seen: Seen[] = [];
let answer = { status: 200, body: "{}" };
let origin = "";

const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  seen.push({ method: request.method, url: request.url, type: request.headers["content-type"], body });
  response.writeHead(answer.status, "Some Status").end(answer.body);
});

beforeAll(async () => {
  origin = `http://127.0.0.1:${await listening(server)}`;
});
afterAll(() => void server.close());

// Pages call URLs of their own origin. Without a page, the endpoint needs the test server's URL.
const saveNote = () =>
  endpoint({
    method: "PUT",
    path: `${origin}/notes/{noteId}`,
    summary: "",
    params: z.object({ noteId: z.string() }),
    query: z.object({ draft: z.boolean(), tag: z.string().optional() }),
    body: z.object({ text: z.string() }),
    reply: z.object({ id: z.string() }),
  });
const call = { params: { noteId: "a/b" }, query: { draft: true }, body: { text: "hi" } };

test("a call fills in the path, sends JSON and returns the reply", async () => {
  seen = [];
  answer = { status: 200, body: `{"id":"a/b"}` };
  expect(await api(saveNote(), call)).toEqual({ id: "a/b" });
  expect(seen).toEqual([
    { method: "PUT", url: "/notes/a%2Fb?draft=true", type: "application/json", body: `{"text":"hi"}` },
  ]);
});

test("a refusal has the status, the body and the problem", async () => {
  const problem = { status: 409, code: "already-owned", message: "You already have Lifetime Access" };
  answer = { status: 409, body: JSON.stringify(problem) };
  const error = await api(saveNote(), call).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 409, message: `409: ${JSON.stringify(problem)}`, problem });
  expect(messageOf(error, "Payment processing failed")).toBe("You already have Lifetime Access");
});

test("a failure without a body has the status text as its message", async () => {
  answer = { status: 502, body: "" };
  const error = await api(saveNote(), call).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ status: 502, message: "502: Some Status", problem: null });
  expect(messageOf(error, "Payment processing failed")).toBe("Payment processing failed");
});

test("a failure's sentence is found in each kind of body, in the order asked for", () => {
  const said = (body: string, ...wordsIn: Parameters<typeof messageOf>[2] & object) =>
    messageOf(new ApiError(400, "", body), "fallback", wordsIn);
  expect(messageOf(new ApiError(402, "", `{"message":"Declined"}`), "fallback")).toBe("Declined");
  expect(said(`{"error":"Too large","details":"At most 50 MB"}`, "error", "details")).toBe("Too large");
  expect(said(`{"error":"","details":"At most 50 MB"}`, "error", "details")).toBe("At most 50 MB");
  expect(said("No image\n", "message", "text")).toBe("No image");
  for (const body of ["No image", "<html>413</html>", `{"message":7}`, "null", `"text"`, ""]) {
    expect(said(body, "message")).toBe("fallback");
  }
  expect(said("<html>413</html>", "text")).toBe("fallback");
  expect(messageOf(new TypeError("no network"), "fallback")).toBe("fallback");
});

test("each field shows the server's first sentence about it", () => {
  const body = JSON.stringify({ code: "invalid-input", message: "Check it", errors: { name: ["Required", "Short"] } });
  expect(faultsIn(new ApiError(400, "", body))).toEqual({ name: "Required" });
  expect(faultsIn(new ApiError(502, "", "Bad Gateway"))).toEqual({});
});

test("an unreachable server is an ApiError with status 0", async () => {
  const nowhere = endpoint({ method: "GET", path: "http://127.0.0.1:1/x", summary: "", reply: z.object({}) });
  await expect(api(nowhere)).rejects.toMatchObject({ name: "ApiError", status: 0, problem: null });
});
