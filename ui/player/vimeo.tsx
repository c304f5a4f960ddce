import "vimeo-video-element";
import { type ServiceVideoProps, serviceVideo } from "./service-video.ts";

/** Vimeo's frame with "do not track", under our controls. */
export default function PlayerVimeo(props: ServiceVideoProps) {
  return serviceVideo("vimeo-video", props, { dnt: true });
}
