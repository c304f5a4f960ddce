import { AsyncLocalStorage } from "node:async_hooks";
import type { AcademyOnPages } from "#contract/academy.ts";
import { readAcademyFrom } from "#ui/academy.ts";

const ofPage = new AsyncLocalStorage<AcademyOnPages>();
readAcademyFrom(() => ofPage.getStore());

/** Renders a page of `academy`. Any number of pages, also of different academies, may be rendered at the same time. */
export function renderFor<Result>(academy: AcademyOnPages, render: () => Promise<Result>): Promise<Result> {
  return ofPage.run(academy, render);
}
