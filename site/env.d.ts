/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    /** What administrators have published, as the page at hand says it. */
    facts: import("#contract/page-facts.ts").PageFacts;
    /** Of a page of the application; null on public pages. */
    shell: import("./shell.ts").Shell | null;
    /** Of what is drafted; the page says so. */
    isPreview: boolean;
  }
}
