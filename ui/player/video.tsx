import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import type { Media } from "./media.ts";

interface PlayerVideoProps {
  ref: Ref<Media>;
  /** Whether `src` is an HLS playlist. */
  isPlaylist: boolean;
  src: string;
  poster: string | null;
  captions: string | null;
}

/** The native video element, for files and HLS. */
export function PlayerVideo({ ref, isPlaylist, src, poster, captions }: PlayerVideoProps) {
  const video = useRef<HTMLVideoElement>(null);
  useImperativeHandle(ref, () => video.current as HTMLVideoElement, []);
  const needsHelp = isPlaylist && !playsPlaylists();
  useEffect(() => {
    if (needsHelp && video.current) return playPlaylist(video.current, src);
  }, [needsHelp, src]);
  return (
    // biome-ignore lint/a11y/useMediaCaption: some videos contain captions, and some lessons have none
    <video
      ref={video}
      slot="media"
      src={needsHelp ? undefined : src}
      poster={poster ?? undefined}
      preload="metadata"
      playsInline
    >
      {captions && <track kind="captions" src={captions} srcLang="en" label="English" />}
    </video>
  );
}

function playsPlaylists(): boolean {
  return document.createElement("video").canPlayType("application/vnd.apple.mpegurl") !== "";
}

/** For browsers without native HLS. The library is large, so it loads only here. */
function playPlaylist(video: HTMLVideoElement, src: string): () => void {
  let isGone = false;
  let stop = () => {
    isGone = true;
  };
  const fail = () => video.dispatchEvent(new Event("error"));
  import("hls-video-element").then(({ Hls }) => {
    if (isGone) return;
    // A worker would need a blob URL, which the content security policy forbids.
    const hls = new Hls({ enableWorker: false });
    hls.on(Hls.Events.ERROR, (_, { fatal }) => fatal && fail());
    hls.loadSource(src);
    hls.attachMedia(video);
    stop = () => hls.destroy();
  }, fail);
  return () => stop();
}
