import { expect, test } from "vitest";
import { isLiveGateway, isLoopback } from "./demo-exposure.ts";

test.each([
  ...["localhost", "LOCALHOST", "localhost.", "academy.localhost", "127.0.0.1", "127.9.8.7", "::1", "[::1]"],
  ...["0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "2130706433", "0x7f000001", "127.1"],
])("%s reaches this machine alone", (host) => expect(isLoopback(host)).toBe(true));

test.each([
  ...["", " ", "0.0.0.0", "0", "::", "[::]", "::ffff:0.0.0.0", "::ffff:10.0.0.1", "10.0.0.1", "128.0.0.1", "fe80::1"],
  ...["*", "academy.example", "localhost.example", "notlocalhost", "127.0.0.1.example", "localhost@evil.example"],
  ...["evil.example#localhost", "localhost:80@evil.example", "localhost/x"],
])("%s may be reached by others", (host) => expect(isLoopback(host)).toBe(false));

test.each([
  ["https://api.authorize.net/xml/v1/request.api", true],
  ["https://API.Authorize.Net./xml/v1/request.api", true],
  ["https://api2.authorize.net/xml/v1/request.api", true],
  ["https://js.authorize.net/v1/Accept.js", true],
  ["https://accept.authorize.net/", true],
  ["https://apitest.authorize.net/xml/v1/request.api", false],
  ["https://jstest.authorize.net/v1/Accept.js", false],
  ["http://localhost:4000/sandbox/gateway/xml/v1/request.api", false],
  ["https://authorize.net.example/", false],
  ["no address", false],
])("whether %s charges real cards", (address, isLive) => {
  expect(isLiveGateway(address)).toBe(isLive);
});
