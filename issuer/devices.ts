/** An account that a browser has signed in to, as stored in the browser's signed cookie. */
export interface Device {
  readonly subject: string;
  /** Names the browser to the account's limits. */
  readonly id: string;
  /** Of the sign-in, in seconds since 1970. */
  readonly signedInAt: number;
}

/** Enough for a household that shares a browser. */
const MAX_DEVICES = 5;

/** Reads the cookie's value, and skips malformed entries. */
export function readDevices(value: string | undefined): Device[] {
  return (value ?? "").split("~").flatMap((part) => {
    const [, subject, id, at] = /^([\w-]{1,64})\.([\w-]{22})\.(\d{1,12})$/.exec(part) ?? [];
    return subject && id && at ? [{ subject, id, signedInAt: Number(at) }] : [];
  });
}

/** The cookie's value after one more sign-in: each account once, the newest first. */
export function writeDevices(before: readonly Device[], device: Device): string {
  const others = before.filter(({ subject }) => subject !== device.subject);
  return [device, ...others]
    .slice(0, MAX_DEVICES)
    .map(({ subject, id, signedInAt }) => `${subject}.${id}.${signedInAt}`)
    .join("~");
}
