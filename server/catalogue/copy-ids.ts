import type { Copy } from "#contract/copy.ts";
import { newId } from "#server/db/id.ts";

const isNew = (id: string) => id.startsWith("new-");

/**
 * Gives new entries of the copy their ids. Possible claims get an id that was never used, since withdrawals are kept
 * by id. Questions and sections get one from their title, because links name them.
 */
export function withIds(copy: Copy): Copy {
  switch (copy.part) {
    case "hero":
      return { ...copy, trust: copy.trust.map(unlike("claim")) };
    case "example":
      return { ...copy, lines: copy.lines.map(unlike("line")) };
    case "topics":
      return { ...copy, topics: copy.topics.map(unlike("topic")) };
    case "testimonials":
      return { ...copy, testimonials: copy.testimonials.map(unlike("testimonial")) };
    case "materials":
      return {
        ...copy,
        materials: copy.materials
          .map(unlike("material"))
          .map((one) => ({ ...one, availability: one.availability && unlike("claim")(one.availability) })),
      };
    case "pricing":
      return { ...copy, notes: copy.notes.map(unlike("note")).map(withClaim) };
    case "questions":
      return { ...copy, questions: named(copy.questions, ({ question }) => question, "question").map(withClaim) };
    case "contact":
      return {
        ...copy,
        support: copy.support.map(unlike("topic")),
        inquiries: copy.inquiries.map(unlike("topic")),
        times: copy.times.map(unlike("time")),
      };
    case "terms":
    case "privacy":
      return { ...copy, sections: named(copy.sections, ({ title }) => title, "section") };
    case "sections":
    case "instructor":
    case "footer":
      return copy;
  }
}

function unlike(kind: string): <Entry extends { id: string }>(entry: Entry) => Entry {
  return (entry) => (isNew(entry.id) ? { ...entry, id: `${kind}-${newId()}` } : entry);
}

function withClaim<Entry extends { claim: { id: string; withoutClaim: string } | null }>(entry: Entry): Entry {
  return { ...entry, claim: entry.claim && unlike("claim")(entry.claim) };
}

/** Ids that other elements of the pages have. */
const taken = ["main", "contact", "academy", "fonts", "on-page", "root", "enroll", "contents", "short"];

function named<Entry extends { id: string }>(
  entries: readonly Entry[],
  titleOf: (entry: Entry) => string,
  kind: string,
): Entry[] {
  const used = new Set([...taken, ...entries.map(({ id }) => id)]);
  return entries.map((entry) => {
    if (!isNew(entry.id)) return entry;
    const words = titleOf(entry)
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll("ß", "ss")
      .replaceAll(/[^a-z0-9]+/g, "-")
      .slice(0, 40)
      .replaceAll(/^-+|-+$/g, "");
    const stem = words && !words.startsWith("new-") ? words : kind;
    let id = stem;
    for (let number = 2; used.has(id); number += 1) id = `${stem}-${number}`;
    used.add(id);
    return { ...entry, id };
  });
}
