import { Resolver } from "node:dns/promises";
import { SECOND } from "#server/base/clock.ts";

/** Whether the domain has each record; null: unknown. */
export interface MailRecords {
  readonly spf: boolean | null;
  readonly dkim: boolean | null;
  readonly dmarc: boolean | null;
}

export type FindTexts = (name: string) => Promise<readonly (readonly string[])[]>;

/** Names that RFC 2606 and 6761 reserve, which no mail comes from. */
export function isReserved(domain: string): boolean {
  return /(^|\.)(test|example|invalid|localhost|local)$|(^|\.)example\.(com|net|org)$/i.test(domain);
}

/**
 * Looks up the records by which mail providers judge mail of the domain. Never fails, and takes two seconds at most.
 */
export async function findMailRecords(domain: string, findTexts?: FindTexts): Promise<MailRecords> {
  const resolver = new Resolver({ timeout: SECOND, tries: 1 });
  const find = findTexts ?? ((name) => resolver.resolveTxt(name));
  const timer = setTimeout(() => resolver.cancel(), 2 * SECOND);
  try {
    if (!(await exists(find, domain))) return { spf: null, dkim: null, dmarc: null };
    const [spf, dkim, dmarc] = await Promise.all([
      hasText(find, domain, /^v=spf1(\s|$)/i),
      hasKeys(find, domain),
      hasPolicy(find, domain),
    ]);
    return { spf, dkim, dmarc };
  } finally {
    clearTimeout(timer);
  }
}

/** Without a network some resolvers answer that nothing exists, which would be wrong advice. */
async function exists(find: FindTexts, domain: string): Promise<boolean> {
  return find(domain).then(
    () => true,
    (error) => (error as { code?: string }).code === "ENODATA",
  );
}

async function hasText(find: FindTexts, name: string, pattern: RegExp): Promise<boolean | null> {
  try {
    return (await find(name)).some((parts) => pattern.test(parts.join("")));
  } catch (error) {
    return isAbsent(error) ? false : null;
  }
}

/** Only the mail service knows the names of DKIM keys; without any key the name above them does not exist either. */
async function hasKeys(find: FindTexts, domain: string): Promise<boolean | null> {
  try {
    await find(`_domainkey.${domain}`);
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    return code === "ENODATA" ? true : code === "ENOTFOUND" ? false : null;
  }
}

/** The policy of a domain applies to its subdomains. */
async function hasPolicy(find: FindTexts, domain: string): Promise<boolean | null> {
  const labels = domain.split(".");
  const owners = labels.slice(0, -1).map((_, at) => labels.slice(at).join("."));
  const found = await Promise.all(owners.map((owner) => hasText(find, `_dmarc.${owner}`, /^v=DMARC1\b/i)));
  return found.includes(true) ? true : found.includes(null) ? null : false;
}

function isAbsent(error: unknown): boolean {
  return ["ENODATA", "ENOTFOUND"].includes((error as { code?: string }).code ?? "");
}

/** A sentence for each record to add to the DNS; none for records that exist or are unknown. */
export function missingRecords(domain: string, { spf, dkim, dmarc }: MailRecords): string[] {
  return [
    ...(spf === false ? [`SPF: a TXT record of ${domain} that names your mail service (v=spf1 …).`] : []),
    ...(dkim === false ? [`DKIM: the key of your mail service, below _domainkey.${domain}.`] : []),
    ...(dmarc === false ? [`DMARC: a TXT record of _dmarc.${domain}, to begin with “v=DMARC1; p=none”.`] : []),
  ];
}
