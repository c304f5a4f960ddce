// The ceiling of the landing page: node:http sends the same bytes with the same headers.
import { createServer, get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

const [port = "", academyUrl = ""] = process.argv.slice(2);
const answer = await new Promise<IncomingMessage>((resolve, reject) => {
  get(academyUrl, { headers: { "accept-encoding": "gzip, deflate, br" } }, resolve).on("error", reject);
});
const body = await buffer(answer);
const ofTheConnection = ["date", "connection", "keep-alive"];
const headers = Object.entries(answer.headers)
  .filter(([name]) => !ofTheConnection.includes(name))
  .flatMap(([name, value]) => [name, String(value)]);

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(Number(port), "127.0.0.1", () => console.log("ready:"));
