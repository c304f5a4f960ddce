import { matchRoutes } from "react-router";
import { expect, test } from "vitest";
import { href } from "#contract/addresses.ts";
import { pages } from "./routes.ts";

test("every path of the app leads to its page, and public paths lead to none", () => {
  const plan = { tier: "vip", priceId: "vip_lifetime", name: "Lifetime Access", price: 1497 };
  const paths = [
    href.dashboard(),
    href.courseAccess({ welcome: true }),
    href.profile(),
    href.myData(),
    href.receipt("1"),
    href.subscription(),
    href.coaching(),
    href.coachingSession("1"),
    href.coach(),
    href.coachSession("1"),
    href.admin("users"),
    href.adminUser("1"),
    href.checkout(plan),
    href.paymentMethod(),
  ];
  expect(paths.filter((path) => !pageAt(path))).toEqual([]);
  const publicPaths = [
    href.home(),
    href.pricing(),
    href.signup(),
    href.contact(),
    href.demoDashboard(),
    href.siteMap(),
  ];
  expect(publicPaths.filter(pageAt)).toEqual([]);
});

test("only the checkout allows the card gateway's script", () => {
  const checkouts = pages.filter(({ checkout = false }) => checkout).map(({ path }) => path);
  expect(checkouts).toEqual(["/checkout", "/authorize-checkout", "/payment-method"]);
});

function pageAt(address: string) {
  return matchRoutes([...pages], new URL(address, "http://academy.test").pathname)?.at(0)?.route;
}
