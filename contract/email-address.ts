import { z } from "zod";
import { asTyped } from "./as-typed.ts";

const maxLength = 254;

/**
 * Returns a typed or pasted address in the one form in which addresses are stored, compared and sent: in lower case, the
 * domain in ASCII, and letters beyond ASCII before the @ in Unicode's form C. Null: not an address.
 */
export function storedEmail(typed: string): string | null {
  const { local, domain } = partsOf(typed);
  return faultOf(local, domain) ? null : joined(local, domain);
}

/** Why a typed or pasted text is not an address that we can use. Null: it is one. */
export function emailFault(typed: string): string | null {
  const { local, domain } = partsOf(typed);
  return faultOf(local, domain);
}

export const invalidEmail = "Invalid email";

/**
 * Returns the address that a sign-in provider has verified, in the stored form. Null when that form is another mailbox,
 * such as for a Kelvin sign in place of a k.
 */
export function claimedEmail(claim: string): string | null {
  const at = claim.lastIndexOf("@");
  const [local, domain] = [claim.slice(0, at), claim.slice(at + 1)];
  const becomesAscii = [...local].some((sign) => isBeyondAscii(sign) && /\p{ASCII}/u.test(lowerCase(sign)));
  if (becomesAscii || faultOf(local, domain)) return null;
  const address = joined(local, domain);
  return storedEmail(address) === address ? address : null;
}

/** Whether only a mail server with SMTPUTF8 (RFC 6531) can write to an address in the stored form. */
export function isBeyondAscii(address: string): boolean {
  return /\P{ASCII}/u.test(address);
}

export const beyondMailServer =
  "This academy can't send email to addresses with letters like “é” before the @. Use another address.";

/** An email address. Its output is in the stored form. */
export const EmailAddress = z
  .string()
  .overwrite((typed) => storedEmail(typed) ?? typed)
  .check(({ value, issues }) => {
    const message = emailFault(value);
    if (message) issues.push({ code: "custom", message, input: value });
  })
  .meta({ format: "email", maxLength });

function partsOf(typed: string) {
  const text = asTyped(typed).trim();
  const at = text.lastIndexOf("@");
  // `asTyped` keeps joiners, which Persian and Indic words need and addresses do not.
  const [local, domain] = [text.slice(0, Math.max(at, 0)).replace(/\p{Cf}/gu, ""), text.slice(at + 1)];
  if (!isBeyondAscii(local)) return { local, domain };
  // Compatible characters can be of another mailbox, such as “²” and “2”.
  const written = typed.slice(0, Math.max(typed.search(/[@＠][^@＠]*$/u), 0));
  return { local: written.replace(/\p{Cf}/gu, "").trim(), domain };
}

// RFC 5322's atoms with dots between them, and letters beyond ASCII as in RFC 6532.
const atom = "(?:[\\w!#$%&'*+/=?^`{|}~-]|[^\\p{ASCII}\\p{C}\\p{Z}])+";
const localPart = new RegExp(`^${atom}(?:\\.${atom})*$`, "u");

function faultOf(local: string, domain: string): string | null {
  if (/^".*"$/u.test(local)) return "We can't use an address with quotation marks. Use another one.";
  if (/^\[.*\]$/u.test(domain))
    return "We can't use an address with numbers after the @. Use one like name@example.com.";
  if (!localPart.test(local) || asciiDomain(domain) === null) return invalidEmail;
  // Some of these letters look alike.
  if (/\p{Script=Latin}/u.test(local) && /[\p{Script=Greek}\p{Script=Cyrillic}]/u.test(local))
    return "We can't use an address that mixes Latin letters with Greek or Cyrillic ones. Use another one.";
  return joined(local, domain).length > maxLength ? `Use ${maxLength} characters or fewer` : null;
}

function joined(local: string, domain: string): string {
  return `${lowerCase(local)}@${asciiDomain(domain)}`;
}

function lowerCase(local: string): string {
  return local.normalize("NFC").toLowerCase().normalize("NFC");
}

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const hostname = new RegExp(`^(?:${label}\\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$`);

/** The domain as in the domain name system: `xn--…` for each label beyond ASCII. Null: not a domain. */
function asciiDomain(domain: string): string | null {
  // The URL would end before some of these, and decode or leave out the others.
  if (domain.length > maxLength || /(?![\u200c\u200d])[\p{C}\p{Z}%/\\?#:@]/u.test(domain)) return null;
  try {
    const ascii = new URL(`http://${domain}`).hostname;
    return hostname.test(ascii) ? ascii : null;
  } catch {
    return null;
  }
}
