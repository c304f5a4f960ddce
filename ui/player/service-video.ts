import { createElement, type Ref } from "react";
import type { Media } from "./media.ts";

export interface ServiceVideoProps {
  ref: Ref<Media>;
  /** The accessible name of the service's frame. */
  label: string;
  src: string;
}

/** A custom element that makes a service's frame behave like a video. It must already be defined. */
export function serviceVideo(element: string, { ref, label, src }: ServiceVideoProps, config: object) {
  return createElement(element, {
    ref,
    slot: "media",
    src,
    playsinline: "",
    config: { ...config, referrerpolicy: "strict-origin-when-cross-origin" },
    // The library creates the unnamed frame right after this event.
    onloadstart: ({ currentTarget }: Event) => {
      const video = currentTarget as HTMLElement;
      queueMicrotask(() => video.shadowRoot?.querySelector("iframe")?.setAttribute("title", label));
    },
  });
}
