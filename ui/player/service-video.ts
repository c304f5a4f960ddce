import { createElement, type Ref } from "react";
import type { Media } from "./media.ts";

export interface ServiceVideoProps {
  ref: Ref<Media>;
  /** Names the service's frame for screen readers. */
  label: string;
  src: string;
}

/** An element that makes a service's frame behave like a video. It must be defined by then. */
export function serviceVideo(element: string, { ref, label, src }: ServiceVideoProps, config: object) {
  return createElement(element, {
    ref,
    slot: "media",
    src,
    playsinline: "",
    config: { ...config, referrerpolicy: "strict-origin-when-cross-origin" },
    // The frame, which has no name, is made right after this event.
    onloadstart: ({ currentTarget }: Event) => {
      const video = currentTarget as HTMLElement;
      queueMicrotask(() => video.shadowRoot?.querySelector("iframe")?.setAttribute("title", label));
    },
  });
}
