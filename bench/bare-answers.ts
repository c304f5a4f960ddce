// The ceiling of the API: bare Fastify and pg make the statements that the server made, prepared under the same names,
// with a pool of the same size, and answer the same JSON.
import { readFileSync } from "node:fs";
import Fastify from "fastify";
import pg from "pg";
import type { Answered } from "./students.ts";

const [port = "", file = "", database = ""] = process.argv.slice(2);
const answers: Answered[] = JSON.parse(readFileSync(file, "utf8"));
const byRequest = new Map(answers.map((answer) => [`${answer.method} ${answer.path} ${answer.cookie}`, answer]));
const pool = new pg.Pool({ ...JSON.parse(database), max: 10 });

const app = Fastify();
app.route({
  method: ["GET", "PUT"],
  url: "/*",
  handler: async ({ method, url, headers, body }, reply) => {
    const answer = byRequest.get(`${method} ${url} ${headers.cookie}`);
    if (!answer || (method === "PUT" && !body)) return reply.code(404).send();
    for (const statement of answer.statements) await pool.query(statement);
    return answer.reply;
  },
});
await app.listen({ port: Number(port), host: "127.0.0.1" });
console.log("ready:");
