import "youtube-video-element";
import { type ServiceVideoProps, serviceVideo } from "./service-video.ts";

/** YouTube's frame from its cookieless host, under our controls. Captions are off by default. */
export default function PlayerYouTube(props: ServiceVideoProps) {
  return serviceVideo("youtube-video", props, { origin: window.location.origin, cc_load_policy: 0 });
}
