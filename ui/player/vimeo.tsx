import "vimeo-video-element";
import { type ServiceVideoProps, serviceVideo } from "./service-video.ts";

/** Vimeo's frame, asked not to track, under our own controls. */
export default function PlayerVimeo(props: ServiceVideoProps) {
  return serviceVideo("vimeo-video", props, { dnt: true });
}
