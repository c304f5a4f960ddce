import { Router } from "#app/navigation/router.tsx";
import { href } from "#contract/addresses.ts";
import type { Module } from "#contract/catalogue.ts";
import { Preview as Course } from "#site/preview/preview.tsx";
import { Island } from "./island.tsx";

/** The course; its tab and its lesson stand in the address. */
export function Preview({ modules }: { modules: readonly Module[] }) {
  return (
    <Island>
      <Router path={href.demoDashboard()}>
        <Course modules={modules} />
      </Router>
    </Island>
  );
}
