import { z } from "zod";
import { endpoint } from "./endpoint.ts";

export const AnnouncementChoice = z
  .strictObject({ wanted: z.boolean().describe("False: no announcements; what concerns the account still comes") })
  .meta({ id: "AnnouncementChoice" });
export type AnnouncementChoice = z.infer<typeof AnnouncementChoice>;

export const getAnnouncementChoice = endpoint({
  method: "GET",
  path: "/api/user/announcements",
  summary: "Whether the signed-in person wants announcements by mail",
  reply: AnnouncementChoice,
});

export const chooseAnnouncements = endpoint({
  method: "PUT",
  path: "/api/user/announcements",
  summary: "Turns announcements by mail on or off for the signed-in person",
  body: AnnouncementChoice,
  reply: AnnouncementChoice,
});
