/** A value that is being edited. */
export interface Editing<Content> {
  value: Content;
  change: (changes: Partial<Content>) => void;
  /** The server's fault for a field. Parts of a field have dotted names. */
  errorOf: (name: string) => string | null;
}

/** The edited value with the version that it is based on. New values have none. */
export type Versioned<Content> = Content & { version?: string | undefined };

/** A field's name, or the dotted name of one of its parts. */
export type FieldName<Content> = (keyof Content & string) | `${keyof Content & string}.${string}`;
