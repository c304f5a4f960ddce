/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    /** The published content for this page. */
    facts: import("#contract/page-facts.ts").PageFacts;
    /** Set on pages of the app. Null on public pages. */
    shell: import("./shell.ts").Shell | null;
    /** Whether the page renders drafts. If so, it shows a note. */
    isPreview: boolean;
  }
}
