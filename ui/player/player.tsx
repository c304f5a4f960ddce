import { MediaController, MediaLoadingIndicator } from "media-chrome/react";
import { Suspense, useState } from "react";
import { late } from "../feedback/late.tsx";
import { PlayerBar } from "./bar.tsx";
import { PlayerFrame } from "./frame.tsx";
import { type Media, type MediaHandlers, type PlaybackPosition, useMediaEvents } from "./media.ts";
import { type CaptionFile, PlayerVideo } from "./video.tsx";

const [PlayerYouTube] = late("the player", () => import("./youtube.tsx"));
const [PlayerVimeo] = late("the player", () => import("./vimeo.tsx"));

interface PlayerProps extends MediaHandlers {
  /** The video's title, for the player's accessible name. */
  label: string;
  /** A video file, an HLS playlist, a service's video, or a page with its own player and controls. */
  kind: "file" | "hls" | "youtube" | "vimeo" | "frame";
  src: string;
  poster: string | null;
  captions: readonly CaptionFile[];
  /** Where playback begins, once the length is known. */
  position: PlaybackPosition;
}

/**
 * A video with our controls: keyboard, captions, speed, picture in picture, full screen. Starts automatically only to
 * resume after an interruption. A default export, because pages load it lazily.
 */
export default function Player({ label, kind, src, poster, captions, position, ...handlers }: PlayerProps) {
  const [media, setMedia] = useState<Media | null>(null);
  useMediaEvents(media, position, handlers);
  if (kind === "frame") return <PlayerFrame ref={setMedia} label={label} src={src} />;
  return (
    // Set after mounting, because the library sets its own label first.
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
      <PlayerBar media={media} languages={kind === "file" || kind === "hls" ? languagesOf(captions) : []} />
    </MediaController>
  );
}

const languagesOf = (captions: readonly CaptionFile[]) => captions.map(({ language }) => language);
