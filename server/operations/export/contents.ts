import { readFileSync } from "node:fs";

/** The README of every export, whose lists say what is exported. */
export const description = readFileSync(new URL("contents.md", import.meta.url), "utf8");

export interface ExportedTable {
  readonly name: string;
  readonly file: string;
  /** Identify a row. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** Columns that are not exported. */
  readonly leftOut: readonly string[];
  /** A condition on the rows. */
  readonly where: string;
}

const section = /^### (\S+)\n\n.+\n\n- Table: (\w+)\n- Columns: (.+)\n(?:- Left out: (.+)\n)?/gm;

/** Each after those that it refers to. */
export const exportedTables: readonly ExportedTable[] = Array.from(
  description.matchAll(section),
  ([, file = "", name = "", columns = "", leftOut = ""]) => {
    const words = columns.replaceAll(/ \(.*?\)/g, "").split(", ");
    return {
      name,
      file,
      key: words.filter((word) => word.startsWith("*")).map(plain),
      columns: words.map(plain),
      leftOut: leftOut.split(", ").filter(Boolean),
      where: name === "videos" ? "state = 'ready'" : "true",
    };
  },
);

/** What an import reads back. */
export const contentTables = exportedTables.filter(({ file }) => file.startsWith("catalogue/"));

/** In all its files. Captions of 3,000 hours fit; the texts are in memory when an import is checked. */
export const mostCatalogueBytes = 512 * 1024 ** 2;

function plain(word: string): string {
  return word.replaceAll("*", "");
}
