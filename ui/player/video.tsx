import { type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import { languageName } from "#contract/languages.ts";
import { captionChoice, captionLanguage, chooseCaptions, onCaptionChoice } from "./caption-choice.ts";
import type { Media } from "./media.ts";

/** The address of a WebVTT file. */
export interface CaptionFile {
  language: string;
  url: string;
}

interface PlayerVideoProps {
  ref: Ref<Media>;
  /** Whether `src` is an HLS playlist. */
  isPlaylist: boolean;
  src: string;
  poster: string | null;
  captions: readonly CaptionFile[];
}

/** The native video element, for files and HLS. */
export function PlayerVideo({ ref, isPlaylist, src, poster, captions }: PlayerVideoProps) {
  const video = useRef<HTMLVideoElement>(null);
  useImperativeHandle(ref, () => video.current as HTMLVideoElement, []);
  const needsHelp = isPlaylist && !playsPlaylists();
  // Another address would start the video again, so a renewed one is used only for what is still to be loaded.
  const [first] = useState(src);
  const latest = useRef(src);
  useEffect(() => {
    latest.current = src;
  }, [src]);
  useEffect(() => {
    if (needsHelp && video.current) return playPlaylist(video.current, first, () => latest.current);
  }, [needsHelp, first]);
  useEffect(() => {
    if (video.current && captions.length > 0) return keepCaptions(video.current, captions);
  }, [captions]);
  return (
    // biome-ignore lint/a11y/useMediaCaption: some videos contain captions, and some lessons have none
    <video
      ref={video}
      slot="media"
      src={needsHelp ? undefined : first}
      poster={poster ?? undefined}
      preload="metadata"
      playsInline
    >
      {captions.map(({ language, url }) => (
        <track key={language} kind="captions" src={url} srcLang={language} label={languageName(language, language)} />
      ))}
    </video>
  );
}

/** Shows the captions that the viewer last chose, and remembers which ones are shown. */
function keepCaptions(video: HTMLVideoElement, captions: readonly CaptionFile[]): () => void {
  const languages = captions.map(({ language }) => language);
  const ours = () => [...video.textTracks].filter((track) => languages.includes(track.language));
  const show = () => {
    const shown = captionChoice().isShown && captionLanguage(languages);
    for (const track of ours()) {
      const mode = track.language === shown ? "showing" : "disabled";
      if ((track.mode === "showing") !== (mode === "showing")) track.mode = mode;
    }
  };
  const remember = () => {
    const [shown, another] = ours().filter(({ mode }) => mode === "showing");
    // Chromium may add captions in the language of the browser to those that are shown. Viewers choose one language.
    if (another) return show();
    chooseCaptions({ isShown: shown !== undefined, ...(shown && { language: shown.language }) });
  };
  show();
  const forget = onCaptionChoice(show);
  video.textTracks.addEventListener("change", remember);
  return () => {
    forget();
    video.textTracks.removeEventListener("change", remember);
  };
}

/** Safari plays HLS itself, as AirPlay needs it. Others do as well by now, but not the ranges of one file. */
function playsPlaylists(): boolean {
  const canPlay = document.createElement("video").canPlayType("application/vnd.apple.mpegurl") !== "";
  return canPlay && ("WebKitPlaybackTargetAvailabilityEvent" in window || !("MediaSource" in window));
}

/** For browsers without native HLS. The library is large, so it loads only here. */
function playPlaylist(video: HTMLVideoElement, src: string, latest: () => string): () => void {
  let isGone = false;
  let stop = () => {
    isGone = true;
  };
  const fail = () => video.dispatchEvent(new Event("error"));
  import("hls-video-element").then(({ Hls }) => {
    if (isGone) return;
    // A worker would need a blob URL, which the content security policy forbids.
    const hls = new Hls({
      enableWorker: false,
      xhrSetup: (request, url) => {
        if (latest() !== src) request.open("GET", folderOf(latest()) + url.slice(folderOf(url).length));
      },
    });
    hls.on(Hls.Events.ERROR, (_, { fatal }) => fatal && fail());
    hls.loadSource(src);
    hls.attachMedia(video);
    stop = () => hls.destroy();
  }, fail);
  return () => stop();
}

/** Where the files of a playlist are. */
const folderOf = (address: string) => address.slice(0, address.lastIndexOf("/") + 1);
