import { z } from "zod";
import { endpoint } from "./endpoint.ts";

export const AnnouncementChoice = z
  .strictObject({
    wanted: z
      .boolean()
      .describe("False: no announcements and no emails of sequences; what concerns the account still comes"),
    answers: z.boolean().describe("False: no email when somebody answers a question of the person"),
  })
  .meta({ id: "AnnouncementChoice" });
export type AnnouncementChoice = z.infer<typeof AnnouncementChoice>;

export const getAnnouncementChoice = endpoint({
  method: "GET",
  path: "/api/user/announcements",
  summary: "Which optional emails the signed-in person wants",
  reply: AnnouncementChoice,
});

export const chooseAnnouncements = endpoint({
  method: "PUT",
  path: "/api/user/announcements",
  summary: "Turns optional emails on or off for the signed-in person; those that are not named stay as they are",
  body: AnnouncementChoice.partial(),
  reply: AnnouncementChoice,
});
