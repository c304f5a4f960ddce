import { z } from "zod";
import { endpoint } from "./endpoint.ts";

export const PlayerChoices = z
  .strictObject({
    playsNext: z.boolean().describe("False: the lesson that follows is not begun when one ends; true unless chosen"),
  })
  .meta({ id: "PlayerChoices" });
export type PlayerChoices = z.infer<typeof PlayerChoices>;

export const getPlayerChoices = endpoint({
  method: "GET",
  path: "/api/user/player",
  summary: "How the signed-in person wants lessons to play, in every browser",
  reply: PlayerChoices,
});

export const savePlayerChoices = endpoint({
  method: "PUT",
  path: "/api/user/player",
  summary: "Changes how lessons play for the signed-in person",
  body: PlayerChoices,
  reply: PlayerChoices,
});
