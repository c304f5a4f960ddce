import { expect, test } from "vitest";
import type { Announcement } from "#contract/admin/announcements.ts";
import type { AcademyContent } from "#contract/admin/content.ts";
import { oldNamesIn } from "./old-names.ts";

const saved = (id: string, published: object, draft: object | null = null) =>
  ({ id, published, draft, draftAt: null, version: "1", tier: "premium" }) as never;

function contentWith(planDraft: object | null): AcademyContent {
  return {
    orders: [],
    modules: [saved("m1", { title: "Basics", description: "Part of Annual Access" })],
    lessons: [
      saved("l1", { title: "Ovens", body: "Included in Annual Access." }, { title: "Ovens", body: "Included." }),
      saved("l2", { title: "Salt", check: [{ question: "Who has Annual Access?" }] }),
    ],
    plans: [saved("premium_annual", { name: "Annual Access", buttonLabel: "Get the Year" }, planDraft)],
    offer: saved("offer", { headline: "Save on Annual Access" }),
    settings: saved("settings", {}),
    copy: [
      saved("terms", { part: "terms", title: "{plan:premium}" }),
      saved("hero", { part: "hero", headline: "Annual Access" }),
    ],
    emails: [],
    drafts: 1,
  };
}

test("texts that say the old name of a renamed plan are listed, as they are drafted", () => {
  const announcements = [
    { id: "a1", state: "draft", subject: "News", text: "Annual Access is better now", button: null },
    { id: "a2", state: "sent", subject: "Older news", text: "Annual Access", button: null },
  ] as never as Announcement[];
  expect(oldNamesIn(contentWith({ name: "Baker for a Year", buttonLabel: "Get the Year" }), announcements)).toEqual([
    {
      tier: "premium",
      name: "Annual Access",
      texts: [
        { title: "Basics", to: "/admin/content?edit=module.m1" },
        { title: "Salt", to: "/admin/content?edit=lesson.l2" },
        { title: "Offer and countdown", to: "/admin/content?edit=offer" },
        { title: "First screen", to: "/admin/pages?edit=hero" },
        { title: "Email: News", to: "/admin/announcements?open=a1" },
      ],
    },
  ]);
});

test("no text is listed while no plan is renamed", () => {
  expect(oldNamesIn(contentWith(null), [])).toEqual([]);
  expect(oldNamesIn(contentWith({ name: "Annual Access", buttonLabel: "Go" }), [])).toEqual([]);
});
