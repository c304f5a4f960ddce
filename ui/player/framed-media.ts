import type { Media } from "./media.ts";

/** Events of player.js that have the same name and meaning as those of media elements. */
const sameEvents = ["play", "pause", "seeked", "ended", "error"] as const;

interface Message {
  context?: unknown;
  event?: unknown;
  value?: { seconds?: unknown } | null;
}

/**
 * Wraps a player in a frame as media, by the player.js protocol: JSON messages with methods and events. Listens to this
 * frame and this origin from construction until it is closed.
 */
export class FramedMedia extends EventTarget implements Media {
  readonly #frame: HTMLIFrameElement;
  readonly #origin: string;
  readonly #closing = new AbortController();
  #time = 0;
  #rate = 1;
  paused = true;
  readyState = 0;
  /** Not in the protocol. Seeking only shows as a step in time. */
  readonly seeking = false;

  constructor(frame: HTMLIFrameElement, origin: string) {
    super();
    this.#frame = frame;
    this.#origin = origin;
    const { signal } = this.#closing;
    window.addEventListener("message", (event) => this.#hear(event), { signal });
    // A frame that was ready before we listened repeats its event.
    frame.addEventListener("load", () => this.#listenTo("ready"), { signal });
  }

  close(): void {
    this.#closing.abort();
  }

  get currentTime(): number {
    return this.#time;
  }

  set currentTime(seconds: number) {
    this.#time = seconds;
    this.#send("setCurrentTime", seconds);
  }

  get playbackRate(): number {
    return this.#rate;
  }

  set playbackRate(rate: number) {
    this.#rate = rate;
    this.#send("setPlaybackRate", rate);
  }

  async play(): Promise<void> {
    this.#send("play");
  }

  pause(): void {
    this.#send("pause");
  }

  #send(method: string, value?: unknown, listener?: string): void {
    const message = JSON.stringify({ context: "player.js", version: "0.0.11", method, value, listener });
    this.#frame.contentWindow?.postMessage(message, this.#origin);
  }

  #listenTo(event: string): void {
    this.#send("addEventListener", event, `academy-${event}`);
  }

  #hear({ source, origin, data }: MessageEvent): void {
    if (source !== this.#frame.contentWindow || origin !== this.#origin) return;
    const { event, value } = readMessage(data);
    if (event === "ready") this.#begin();
    else if (event === "timeupdate") this.#moveTo(Number(value?.seconds));
    else {
      const name = sameEvents.find((same) => same === event);
      if (!name) return;
      if (name === "play") this.paused = false;
      if (name === "pause" || name === "ended") this.paused = true;
      this.dispatchEvent(new Event(name));
    }
  }

  #begin(): void {
    if (this.readyState > 0) return;
    this.readyState = 1;
    for (const event of [...sameEvents, "timeupdate"]) this.#listenTo(event);
    this.dispatchEvent(new Event("loadedmetadata"));
  }

  #moveTo(seconds: number): void {
    if (!Number.isFinite(seconds)) return;
    this.#time = seconds;
    this.dispatchEvent(new Event("timeupdate"));
  }
}

/** Some players send text, others an object. */
function readMessage(data: unknown): Message {
  try {
    const message: unknown = typeof data === "string" ? JSON.parse(data) : data;
    const { context } = (message ?? {}) as Message;
    return context === "player.js" ? (message as Message) : {};
  } catch {
    return {};
  }
}
