import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Engine } from "./engine.ts";

/** Keeps Firefox from calling home, which fails without a network and is logged. */
const preferences = {
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "media.autoplay.default": 0,
  "remote.active-protocols": 1,
};

export interface Firefox extends Engine {
  /** Holds back the next request for this path, and returns what lets it go on. */
  hold(pathname: string): Promise<() => Promise<void>>;
}

/** Debian's Firefox, over WebDriver BiDi. */
export async function openFirefox(): Promise<Firefox> {
  const home = await mkdtemp(join(tmpdir(), "academy-firefox-"));
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  await writeFile(join(home, "user.js"), lines.join("\n"));
  const options = ["--headless", "--no-remote", "--profile", home, "--remote-debugging-port", "0"];
  const browser = spawn("firefox-esr", options, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: home },
  });
  const close = async () => {
    const ended = browser.exitCode === null && browser.signalCode === null ? once(browser, "exit") : null;
    browser.kill("SIGKILL");
    await ended;
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  try {
    const socket = new WebSocket(`${await addressIn(browser.stderr)}/session`);
    await once(socket, "open");
    return { ...(await speakTo(socket)), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error("Firefox ended before it listened");
}

interface Told {
  readonly id?: number;
  readonly result?: Record<string, never>;
  readonly error?: string;
  readonly message?: string;
  readonly method?: string;
  readonly params?: {
    readonly level?: string;
    readonly text?: string;
    readonly request?: { readonly request: string; readonly url: string };
  };
}

async function speakTo(socket: WebSocket): Promise<Omit<Firefox, typeof Symbol.asyncDispose>> {
  const complaints: string[] = [];
  const waiting = new Map<number, PromiseWithResolvers<Record<string, never>>>();
  socket.onmessage = ({ data }) => {
    const { id, result, error, message, method, params } = JSON.parse(String(data)) as Told;
    if (method === "log.entryAdded" && ["error", "warn"].includes(params?.level ?? ""))
      complaints.push(params?.text ?? "");
    if (params?.request) held.get(new URL(params.request.url).pathname)?.resolve(params.request.request);
    if (id === undefined) return;
    if (error) waiting.get(id)?.reject(new Error(`${error}: ${message}`));
    else waiting.get(id)?.resolve(result ?? {});
    waiting.delete(id);
  };
  const held = new Map<string, PromiseWithResolvers<string>>();
  let last = 0;
  const tell = (method: string, params: object): Promise<Record<string, never>> => {
    const answer = Promise.withResolvers<Record<string, never>>();
    waiting.set(++last, answer);
    socket.send(JSON.stringify({ id: last, method, params }));
    return answer.promise;
  };
  await tell("session.new", { capabilities: {} });
  await tell("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent"] });
  const { contexts } = (await tell("browsingContext.getTree", {})) as unknown as { contexts: { context: string }[] };
  const context = contexts[0]?.context;
  return {
    complaints,
    async hold(pathname) {
      const sent = Promise.withResolvers<string>();
      held.set(pathname, sent);
      const urlPatterns = [{ type: "pattern", pathname }];
      const { intercept } = await tell("network.addIntercept", { phases: ["beforeRequestSent"], urlPatterns });
      return async () => {
        await tell("network.continueRequest", { request: await sent.promise });
        await tell("network.removeIntercept", { intercept });
      };
    },
    open: async (url) => void (await tell("browsingContext.navigate", { context, url, wait: "complete" })),
    async run(work) {
      const expression = `(async () => JSON.stringify((await (${work})()) ?? null))()`;
      const script = { expression, target: { context }, awaitPromise: true, userActivation: true };
      const { result, exceptionDetails } = (await tell("script.evaluate", script)) as {
        result?: { value: string };
        exceptionDetails?: { text: string };
      };
      if (!result) throw new Error(exceptionDetails?.text);
      return JSON.parse(result.value);
    },
    resize: async (width, height) =>
      void (await tell("browsingContext.setViewport", { context, viewport: { width, height } })),
  };
}
