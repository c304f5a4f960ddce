import { MediaController, MediaLoadingIndicator } from "media-chrome/react";
import { lazy, Suspense, useState } from "react";
import { PlayerBar } from "./bar.tsx";
import { PlayerFrame } from "./frame.tsx";
import { type Media, type MediaHandlers, type PlaybackPosition, useMediaEvents } from "./media.ts";
import { PlayerVideo } from "./video.tsx";

const PlayerYouTube = lazy(() => import("./youtube.tsx"));
const PlayerVimeo = lazy(() => import("./vimeo.tsx"));

interface PlayerProps extends MediaHandlers {
  /** What plays; names the player for screen readers. */
  label: string;
  /** A video file, an HLS playlist, a video of a service, or a page that brings its own player and controls. */
  kind: "file" | "hls" | "youtube" | "vimeo" | "frame";
  src: string;
  poster: string | null;
  /** The address of a WebVTT file. */
  captions: string | null;
  /** Where it begins, once its length is known. */
  position: PlaybackPosition;
}

/**
 * A video with one bar of controls: keyboard, captions, speed, picture in picture, full screen. It starts by itself
 * only where it was interrupted. The default export, because pages load it only when there is something to play.
 */
export default function Player({ label, kind, src, poster, captions, position, ...handlers }: PlayerProps) {
  const [media, setMedia] = useState<Media | null>(null);
  useMediaEvents(media, position, handlers);
  if (kind === "frame") return <PlayerFrame ref={setMedia} label={label} src={src} />;
  return (
    // Once it is on the page, when the library has given it a name of its own.
    <MediaController ref={(region) => region?.setAttribute("aria-label", label)} className="player">
      <Suspense>
        {kind === "youtube" ? (
          <PlayerYouTube ref={setMedia} label={label} src={src} />
        ) : kind === "vimeo" ? (
          <PlayerVimeo ref={setMedia} label={label} src={src} />
        ) : (
          <PlayerVideo ref={setMedia} isPlaylist={kind === "hls"} src={src} poster={poster} captions={captions} />
        )}
      </Suspense>
      <MediaLoadingIndicator slot="centered-chrome" noAutohide />
      <PlayerBar media={media} />
    </MediaController>
  );
}
