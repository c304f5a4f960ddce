import { useQuery } from "@tanstack/react-query";
import { catalogueQuery } from "#app/access/catalogue-query.ts";
import type { UserFilter } from "#contract/admin/users.ts";
import { academy } from "#ui/academy.ts";

const progressWords = {
  "not-begun": "Has not begun",
  "not-completed": "Has not completed",
  "stopped-at": "Stopped at",
} as const;

/** The fields of the filter of users, without the lesson. */
export const userFields = () =>
  ({
    search: { search: "Search name or email" },
    tier: { label: "Plan", any: "Any plan", options: { none: "No plan", ...academy().planNames } },
    status: {
      label: "Status",
      any: "Any status",
      options: { active: "Active", on_hold: "On Hold", suspended: "Suspended", blocked: "On Hold or Suspended" },
    },
    show: {
      label: "Payments or access",
      any: "Any payment",
      options: {
        "declined-today": "Declined today",
        "declined-this-month": "Declined this month",
        "declined-last-month-to-date": "Declined last month to date",
        "renewal-declined": "Renewal declined",
        "ends-soon": "Access ends within 30 days",
        former: "Had a plan before",
      },
    },
    progress: { label: "Progress", any: "Any progress", options: progressWords },
  }) as const;

/** The titles of the lessons by id, in the order of the course. */
export function useLessonTitles(): Readonly<Record<string, string>> | undefined {
  const { data } = useQuery(catalogueQuery);
  return data && Object.fromEntries(data.flatMap(({ lessons }) => lessons.map(({ id, title }) => [id, title])));
}

/**
 * "Annual Access · Has not begun “Sourcing”". Empty for a filter that finds everybody.
 * @param lessonTitle null: the lesson was deleted; undefined: its title is unknown here
 */
export function filterWords(
  { search, progress, lesson, ...choices }: UserFilter,
  lessonTitle: string | null | undefined,
): string {
  const fields = userFields();
  const chosen = (["tier", "status", "show"] as const).map((name) => {
    const options: Readonly<Record<string, string>> = fields[name].options;
    return options[choices[name] ?? ""];
  });
  const named = lessonTitle === null ? "a lesson that was deleted" : "a lesson";
  const which = lesson ? (lessonTitle ? `“${lessonTitle}”` : named) : "any lesson";
  return [...chosen, progress && `${progressWords[progress]} ${which}`, search && `Matches “${search}”`]
    .filter(Boolean)
    .join(" · ");
}
