import { expect, test } from "vitest";
import { describeUserAgent } from "./user-agent.ts";

const likeChrome = "AppleWebKit/537.36 (KHTML, like Gecko)";
const likeSafari = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const onWindows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${likeChrome} Chrome/140.0.0.0 Safari/537.36`;
const onMac = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${likeSafari}`;
const onIPhone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${likeSafari}`;
const onAndroid = `Mozilla/5.0 (Linux; Android 14; SM-S911B) ${likeChrome}`;

test.each([
  [onWindows, "Chrome", "Windows"],
  [`${onWindows} Edg/140.0.0.0`, "Edge", "Windows"],
  [`${onMac} Version/18.0 Safari/605.1.15`, "Safari", "macOS"],
  [`${onIPhone} Version/18.0 Mobile/15E148 Safari/604.1`, "Safari", "iPhone"],
  [`${onIPhone} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, "Chrome", "iPhone"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Linux"],
  [`${onAndroid} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`, "Samsung Internet", "Android"],
  ["curl/8.5.0", "Unknown browser", null],
  ["", "Unknown browser", null],
])("%s is read as %s on %s", (userAgent, browser, system) => {
  expect(describeUserAgent(userAgent)).toEqual({ browser, system });
});
