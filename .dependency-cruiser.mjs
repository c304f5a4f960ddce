// The allowed imports. `npm run architecture` checks every file of the product. test/architecture.test.ts checks what
// needs the text of files.

/**
 * The server's infrastructure, in order of dependency. Arrows point left: each group may import earlier groups, but not
 * its own or later ones.
 */
const edges = [
  ["base"],
  ["db", "video", "openid", "images"],
  ["jobs", "storage", "gateway", "process", "settings", "visits"],
  ["http"],
  ["mail"],
  ["context"],
];

/** The server's domains, which follow the infrastructure in the same order. */
const lineOfDomains = [
  ["audit"],
  ["deliveries"],
  ["identity"],
  ["batches"],
  ["contact"],
  ["studio"],
  ["catalogue"],
  ["access"],
  ["discrepancies"],
  ["lessons"],
  ["progress", "notes", "checks", "questions", "resources"],
  ["payments"],
  ["coupons"],
  ["purchases"],
  ["coaching"],
  ["subscriptions"],
  ["refunds"],
  ["receipts"],
  ["reconciliation"],
  ["people", "certificates"],
  ["announcements"],
  ["claims", "imports", "sequences"],
  ["profile"],
  ["emails"],
  ["files"],
  ["admin"],
  ["operations"],
  ["demo"],
];

/** The app's folders, whose kit is ui/. Arrows point left here too. The files of app/ itself come last. */
const lineOfPages = [
  ["api", "analytics"],
  ["editing"],
  ["identity"],
  ["plans"],
  ["access"],
  ["card"],
  ["checkout", "subscription", "resources", "coaching", "profile"],
  ["learning"],
  ["admin"],
];

/** It writes a year of data like the domains would: by their rules, into their tables. */
const writesForDomains = "^server/demo/";

/** The parts of the server that a separate issuer or sandbox would need as well. */
const sharedWithIssuerAndSandbox = [
  "^server/base/",
  "^server/context/demo-exposure\\.ts$",
  "^server/mail/(layout|mail|wording)\\.ts$",
  "^server/http/(client|html|known-hosts|standalone-page)\\.ts$",
  "^server/db/",
];

export const domains = lineOfDomains.flat();
const line = [...edges, ...lineOfDomains];
const any = (names) => `(?:${names.join("|")})`;
const ours = "^(?:app|bench|content|contract|e2e|issuer|sandbox|scripts|server|site|test|ui)/";
const product = "^(?:app|content|contract|issuer|sandbox|server|site|ui)/";

/** What each folder may import. */
const borders = [
  { folder: "contract", knows: [] },
  { folder: "content", knows: [] },
  { folder: "ui", knows: ["^contract/", "^content/"] },
  { folder: "app", knows: ["^contract/", "^content/", "^ui/"] },
  // The parts of the app that visitors see as well, and the list of its pages, whose documents are rendered there.
  {
    folder: "site",
    knows: [
      "^contract/",
      "^content/",
      "^ui/",
      "^app/(api|analytics|identity|plans|access|learning)/",
      "^app/routes\\.ts$",
    ],
  },
  { folder: "server", knows: ["^contract/", "^content/"], except: "^server/(built-in-issuer|sandbox-services)\\.ts$" },
  { folder: "issuer", knows: ["^contract/", "^content/", ...sharedWithIssuerAndSandbox] },
  { folder: "sandbox", knows: ["^contract/", "^content/", ...sharedWithIssuerAndSandbox] },
];

/** Their imports are not checked, because the parser fails on `using`. */
const unread = ["^server/operations/reset\\.ts$"];

export default {
  forbidden: [
    ...borders.map(({ folder, knows, except }) => ({
      name: `borders-of-${folder}`,
      severity: "error",
      from: { path: `^${folder}/`, ...(except && { pathNot: except }) },
      to: { path: ours, pathNot: [`^${folder}/`, ...knows] },
    })),
    {
      name: "the-server-mounts-issuer-and-sandbox",
      severity: "error",
      from: { path: "^server/(built-in-issuer|sandbox-services)\\.ts$" },
      to: { path: ours, pathNot: "^(server|contract|content|issuer|sandbox)/" },
    },
    {
      name: "the-contract-needs-its-schema-library-alone",
      severity: "error",
      from: { path: "^contract/", pathNot: "^contract/markup\\.ts$" },
      to: { pathNot: ["^contract/", "^node_modules/zod/"] },
    },
    {
      name: "formatted-texts-are-rendered-on-the-server",
      comment: "Browsers get HTML, since the parser is larger than a page's own scripts.",
      severity: "error",
      from: { path: "^(app|ui)/|^site/islands/" },
      to: { path: "^contract/markup\\.ts$", reachable: true },
    },
    {
      name: "content-needs-no-package",
      severity: "error",
      from: { path: "^content/" },
      to: { pathNot: "^content/" },
    },
    {
      name: "pages-run-in-a-browser",
      severity: "error",
      from: { path: "^(app|site|ui)/", pathNot: "^site/(academy-of-page|dev)\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    ...line.flatMap((step, at) =>
      step.map((folder) => ({
        name: `${plain(folder)}-knows-what-is-in-front-of-it`,
        comment: "A folder may import earlier ones in the line, but none of its own step or later ones.",
        severity: "error",
        from: { path: `^server/${folder}/` },
        to: { path: `^server/${any(line.slice(at).flat())}/`, pathNot: `^server/${folder}/` },
      })),
    ),
    ...lineOfPages.flatMap((step, at) =>
      step.map((folder) => ({
        name: `pages-of-${folder}-know-what-is-in-front-of-them`,
        comment: "What folders of one step share must be in an earlier one. Dynamic imports count.",
        severity: "error",
        from: { path: `^app/${folder}/` },
        to: { path: "^app/", pathNot: `^app/${any([folder, ...lineOfPages.slice(0, at).flat()])}/` },
      })),
    ),
    {
      name: "a-folder-of-the-application-has-its-place-in-the-line",
      severity: "error",
      from: { path: product },
      to: { path: "^app/[^/]+/", pathNot: `^app/${any(lineOfPages.flat())}/` },
    },
    {
      name: "what-puts-an-academy-together-is-imported-by-nobody",
      severity: "error",
      from: { path: product, pathNot: "^server/[^/]+\\.ts$" },
      to: { path: "^server/[^/]+\\.ts$" },
    },
    {
      name: "a-folder-of-the-server-is-a-domain-or-an-edge",
      severity: "error",
      from: { path: product },
      to: { path: "^server/[^/]+/", pathNot: `^server/${any(line.flat())}/` },
    },
    ...domains.flatMap((domain) => [
      {
        name: `rules-and-queries-of-${plain(domain)}-stay-home`,
        severity: "error",
        from: { path: product, pathNot: [`^server/${domain}/`, writesForDomains] },
        to: { path: `^server/${domain}/((admin-)?queries|rules)\\.ts$` },
      },
      {
        name: `tables-of-${plain(domain)}-are-read-by-queries`,
        comment: "Queries of other domains may use them in joins, and their tables in references.",
        severity: "error",
        from: { path: product, pathNot: [`^server/${domain}/`, "/(tables|(admin-)?queries)\\.ts$", writesForDomains] },
        to: { path: `^server/${domain}/.*\\btables\\.ts$` },
      },
    ]),
    {
      name: "rules-are-pure",
      comment: "No database, no HTTP, nothing of Node.",
      severity: "error",
      from: { path: "/rules\\.ts$" },
      to: {
        path: [
          "^node_modules/(pg|drizzle-orm|fastify)/",
          "^server/(db|http|jobs|mail)/",
          "^server/context/",
          "^server/.+/(admin-)?queries\\.ts$",
        ],
      },
    },
    {
      name: "rules-need-nothing-of-node",
      severity: "error",
      from: { path: "/rules\\.ts$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "production-needs-no-development-package",
      comment: "Allowed only in the sandbox, for what only a demo loads, and in the build.",
      severity: "error",
      from: {
        path: "^(server|issuer|contract|content|scripts)/",
        pathNot: "^scripts/(build\\.ts$|make/|pages/(?!freshness))",
      },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-circle-of-files",
      comment: "Dynamic imports count.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-circle-of-folders",
      severity: "error",
      scope: "folder",
      from: { path: "^(app|sandbox|site|ui)/.+|^(content|contract|issuer|server)" },
      to: { circular: true, path: "^(app|sandbox|server|site|ui)/.+|^(issuer|server)" },
    },
    {
      name: "every-import-leads-somewhere",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: "swc",
    exclude: { path: "\\.(test|spec)\\.tsx?$" },
    doNotFollow: { path: ["node_modules", ...unread] },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};

/** A folder, or a pattern of several, as part of a rule's name. */
function plain(folder) {
  return folder.replace(/[^a-z|-]/g, "").replaceAll("|", "-");
}
