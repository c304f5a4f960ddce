import { type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { FramedMedia } from "./framed-media.ts";
import type { Media } from "./media.ts";

/** A video service's page with its own player. It may only run scripts, and plays when we tell it to. */
export function PlayerFrame({ ref, label, src }: { ref: Ref<Media>; label: string; src: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [media, setMedia] = useState<FramedMedia | null>(null);
  useImperativeHandle(ref, () => media as Media, [media]);
  useEffect(() => {
    if (!frame.current) return;
    const framed = new FramedMedia(frame.current, new URL(src).origin);
    setMedia(framed);
    return () => framed.close();
  }, [src]);
  return (
    <iframe
      ref={frame}
      title={label}
      src={src}
      allow="autoplay; fullscreen; picture-in-picture; encrypted-media"
      sandbox="allow-scripts allow-same-origin allow-presentation"
      referrerPolicy="strict-origin-when-cross-origin"
      className="player border-0"
    />
  );
}
