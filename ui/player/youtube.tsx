import "youtube-video-element";
import { type ServiceVideoProps, serviceVideo } from "./service-video.ts";

/** YouTube's frame, from the host without cookies, under our own controls. Captions are off until they are asked for. */
export default function PlayerYouTube(props: ServiceVideoProps) {
  return serviceVideo("youtube-video", props, { origin: window.location.origin, cc_load_policy: 0 });
}
