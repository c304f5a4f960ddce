import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "#test/free-port.ts";
import { until } from "#test/until.ts";
import type { Engine } from "./engine.ts";

const browser = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";

/** Debian's WebKit, over WebDriver, on a screen of its own. */
export async function openWebKit(): Promise<Engine> {
  const port = await freePort();
  const driver = spawn("xvfb-run", ["-a", "-s", "-screen 0 1600x1200x24", "WebKitWebDriver", `--port=${port}`], {
    stdio: "ignore",
    detached: true,
  });
  const tell = async (method: string, path: string, body?: object): Promise<never> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value as never;
  };
  const options = { binary: browser, args: ["--automation", "--autoplay-policy=allow"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
  const { sessionId } = await until(() =>
    tell("POST", "/session", { capabilities }).then(
      (session) => session as { sessionId: string },
      () => undefined,
    ),
  );
  const session = `/session/${sessionId}`;
  return {
    complaints: null,
    open: (url) => tell("POST", `${session}/url`, { url }),
    run: (work) =>
      tell("POST", `${session}/execute/async`, {
        script: `const done = arguments[0]; (async () => (${work})())().then(done, (error) => done({ failed: String(error) }));`,
        args: [],
      }),
    resize: (width, height) => tell("POST", `${session}/window/rect`, { width, height }),
    async [Symbol.asyncDispose]() {
      await tell("DELETE", session).catch(() => {});
      const ended = once(driver, "exit");
      // Its group, with the screen.
      if (driver.pid) process.kill(-driver.pid, "SIGTERM");
      await ended;
    },
  };
}
