/** Something while it is edited. */
export interface Editing<Content> {
  value: Content;
  change: (changes: Partial<Content>) => void;
  /** What the server found wrong with a field; a part of one is named behind a dot. */
  errorOf: (name: string) => string | null;
}

/** What is written, and the version that it was made from; a new one was made from none. */
export type Versioned<Content> = Content & { version?: string | undefined };

/** A field, or a part of it behind dots. */
export type FieldName<Content> = (keyof Content & string) | `${keyof Content & string}.${string}`;
