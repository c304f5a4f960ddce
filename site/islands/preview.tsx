import type { ReactNode } from "react";
import { BrowserRouter, StaticRouter } from "react-router";
import { href } from "#contract/addresses.ts";
import type { Module } from "#contract/catalogue.ts";
import { Preview as Course } from "#site/preview/preview.tsx";
import { Island } from "./island.tsx";

/** The preview of the course. The URL names its tab and lesson. */
export function Preview({ modules }: { modules: readonly Module[] }) {
  return (
    <Island>
      <Addressed>
        <Course modules={modules} />
      </Addressed>
    </Island>
  );
}

function Addressed({ children }: { children: ReactNode }) {
  if (import.meta.env.SSR) return <StaticRouter location={href.demoDashboard()}>{children}</StaticRouter>;
  return <BrowserRouter>{children}</BrowserRouter>;
}
