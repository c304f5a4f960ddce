import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";

/** A fake of YouTube: its script and its frame, as far as our player uses them. */
export async function standInForYouTube(page: Page): Promise<void> {
  await page.route("https://www.youtube.com/iframe_api", (route) =>
    route.fulfill({ contentType: "text/javascript", body: `(${youTubeScript})()` }),
  );
  await page.route("https://www.youtube-nocookie.com/embed/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>A video</title>" }),
  );
}

/** A fake of https://www.youtube.com/iframe_api with a clock instead of a video. Runs in the page. */
function youTubeScript(): void {
  class Player {
    state = 5;
    time = 0;
    startedAt = 0;
    rate = 1;
    listeners: Record<string, (event: { data: number }) => void> = {};
    constructor(_frame: HTMLIFrameElement, { events }: { events: { onReady: () => void } }) {
      setTimeout(() => events.onReady(), 20);
      setInterval(() => this.state === 1 && this.listeners.onVideoProgress?.({ data: 0 }), 200);
    }
    addEventListener(name: string, listener: (event: { data: number }) => void) {
      this.listeners[name] = listener;
    }
    become(state: number) {
      this.time = this.getCurrentTime();
      this.startedAt = performance.now();
      this.state = state;
      this.listeners.onStateChange?.({ data: state });
    }
    playVideo() {
      this.become(1);
    }
    pauseVideo() {
      this.become(2);
    }
    seekTo(seconds: number) {
      this.startedAt = performance.now();
      this.time = seconds;
    }
    getCurrentTime() {
      return this.state === 1 ? this.time + ((performance.now() - this.startedAt) / 1000) * this.rate : this.time;
    }
    setPlaybackRate(rate: number) {
      this.rate = rate;
      this.listeners.onPlaybackRateChange?.({ data: rate });
    }
    getPlaybackRate() {
      return this.rate;
    }
    getPlayerState() {
      return this.state;
    }
    getDuration() {
      return 41;
    }
    getVideoLoadedFraction() {
      return 1;
    }
    getVolume() {
      return 100;
    }
    isMuted() {
      return false;
    }
    setVolume() {}
    getOption() {}
    setOption() {}
    destroy() {}
  }
  const global = window as unknown as { YT: unknown; onYouTubeIframeAPIReady: () => void };
  global.YT = { Player, PlayerState: { ENDED: 0, PLAYING: 1, PAUSED: 2, BUFFERING: 3, CUED: 5 } };
  global.onYouTubeIframeAPIReady();
}

/** A fake of Vimeo's frame with its messages. */
export async function standInForVimeo(page: Page): Promise<void> {
  await page.route("https://player.vimeo.com/video/**", (route) =>
    route.fulfill({ contentType: "text/html", body: `<title>A video</title><script>(${vimeoFrame})()</script>` }),
  );
}

/** Runs in the frame. */
function vimeoFrame(): void {
  let time = 0;
  let timer = 0;
  const say = (message: object) => parent.postMessage(JSON.stringify(message), "*");
  const at = () => ({ seconds: time, percent: time / 41, duration: 41 });
  const event = (name: string) => say({ event: name, data: at() });
  const answers: Record<string, (value: unknown) => unknown> = {
    getDuration: () => 41,
    getVolume: () => 1,
    getMuted: () => false,
    getTextTracks: () => [],
    getCurrentTime: () => time,
    setCurrentTime: (value) => {
      time = Number(value);
      event("seeked");
      return time;
    },
    play: () => {
      event("play");
      event("playing");
      timer ||= window.setInterval(() => {
        time += 0.25;
        event("timeupdate");
      }, 250);
    },
    pause: () => {
      clearInterval(timer);
      timer = 0;
      event("pause");
    },
  };
  addEventListener("message", ({ data }) => {
    const { method, value: sent } = typeof data === "string" ? JSON.parse(data) : data;
    const value = Array.isArray(sent) ? sent[0] : sent;
    if (method === "ping") return say({ event: "ready" });
    if (method === "addEventListener") return value === "loaded" ? event("loaded") : undefined;
    say({ method, value: answers[method]?.(value) ?? null });
  });
  say({ event: "ready" });
}

/** A fake of Bunny's frame with the player.js protocol and its own button. */
export async function standInForBunny(page: Page): Promise<void> {
  await page.route("https://iframe.mediadelivery.net/embed/**", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<title>A video</title><button>Play</button><button>Pause</button><output></output><script>(${bunnyFrame})()</script>`,
    }),
  );
}

/** Runs in the frame. */
function bunnyFrame(): void {
  let time = 0;
  const say = (event: string, value?: unknown) =>
    parent.postMessage(JSON.stringify({ context: "player.js", version: "0.0.11", event, value }), "*");
  addEventListener("message", ({ data }) => {
    const { method, value } = JSON.parse(data);
    if (method === "addEventListener" && value === "ready") say("ready");
    if (method === "setCurrentTime") {
      time = value;
      document.title = `at ${time}`;
    }
  });
  const [play, pause] = document.querySelectorAll("button");
  const [output] = document.querySelectorAll("output");
  let playing = 0;
  play?.addEventListener("click", () => {
    say("play");
    playing = window.setInterval(() => {
      time += 0.25;
      if (output) output.textContent = String(time);
      say("timeupdate", { seconds: time, duration: 41 });
    }, 250);
  });
  pause?.addEventListener("click", () => {
    clearInterval(playing);
    say("pause");
  });
}

/** Serves the six seconds of video in e2e/hls under any URL, like a service. */
export async function standInForPlaylists(page: Page, address: string, isAllowed: (url: URL) => boolean = () => true) {
  const types = { m3u8: "application/vnd.apple.mpegurl", mpegts: "video/mp2t" } as const;
  await page.route(`${address}/**`, async (route) => {
    const url = new URL(route.request().url());
    const isPlaylist = url.pathname.endsWith(".m3u8");
    const headers = { "access-control-allow-origin": "*" };
    if (isPlaylist && !isAllowed(url)) return route.fulfill({ status: 403, headers, body: "expired" });
    const file = isPlaylist ? "short.m3u8" : url.pathname.slice(url.pathname.lastIndexOf("/") + 1);
    await route.fulfill({
      headers,
      contentType: isPlaylist ? types.m3u8 : types.mpegts,
      body: await readFile(new URL(`./hls/${file}`, import.meta.url)),
    });
  });
}
