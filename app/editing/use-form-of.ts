import type { z } from "zod";
import { type Faults, useForm } from "#app/api/use-form.ts";
import { faultsOf } from "./faults.ts";
import { useKeptDraft } from "./kept-draft.ts";
import type { Written } from "./written.ts";

/** The edited value with the version that it is based on. New values have none. */
export type Versioned<Content> = Content & { version?: string | undefined };

/** Names the input with its target, so that it never returns for another one. */
export type DraftName =
  /** This browser keeps the input until it is sent or discarded. */
  | { kept: string; about?: never }
  /** The input survives only a sign-in. */
  | { kept?: never; about: string };

export type FormOfOptions<Body> = DraftName & FormOfCalls<Body>;

export interface FormOfCalls<Body> {
  /** The value that the server has stored. */
  saved: Versioned<Body>;
  /** Changes the input before it is validated and sent. */
  settle?: (body: Body) => Body;
  /** What a field that must not be empty asks for, by its dotted name. */
  asks?: Faults;
  /** Adds faults to those of the schema. */
  check?: (faults: Faults) => Faults;
  /** Rejects when the server refuses the body. */
  send: (body: Body, version: string | undefined) => Promise<unknown>;
  /** Called after a refusal. `isShown`: a field already shows the reason. */
  onFailed?: (error: unknown, isShown: boolean) => void;
  /** Called with the first fault of the input that no field shows. */
  onHidden?: (fault: string) => void;
}

export interface FormOf<Body> extends Written<Versioned<Body>>, ReturnType<typeof useForm> {
  saved: Versioned<Body>;
  /** Whether this browser keeps the input. */
  isKept: boolean;
  /** Whether the input differs from what is saved. */
  isChanged: boolean;
  /** Reverts to the saved value. */
  discard(): void;
}

/**
 * A form for a body of the contract. `FormField` takes names, limits and error paths from the schema, which also
 * validates the input before it is sent.
 */
export function useFormOf<Schema extends z.ZodType<object>>(
  schema: Schema,
  options: FormOfOptions<z.infer<Schema>>,
): FormOf<z.infer<Schema>> {
  type Body = z.infer<Schema>;
  const {
    kept,
    about,
    saved,
    settle = (body) => body,
    asks,
    check = (faults) => faults,
    send,
    onFailed,
    onHidden,
  } = options;
  const draft = useKeptDraft(kept, saved, about);
  // Input that was kept before an update lacks the fields that the update added.
  const value: Versioned<Body> = { ...saved, ...draft.value };
  const { version, ...typed } = value;
  const bodyOf = () => settle(withoutBlankLines(typed as unknown as Body));
  const form = useForm({
    check: () => check(faultsOf(schema, bodyOf(), asks)),
    send: () => draft.send(async () => void (await send(bodyOf(), version))),
    ...(onFailed && { onFailed }),
    onHidden,
  });

  function change(changes: Partial<Versioned<Body>>): void {
    // The server names entries by position. An error no longer applies when another entry takes the position.
    for (const [name, part] of Object.entries(changes)) {
      if (orderOf(value[name as keyof Body]) !== orderOf(part)) form.forget(name);
    }
    draft.change({ ...value, ...changes });
  }

  return {
    ...form,
    schema,
    value,
    saved,
    change,
    path: "",
    isKept: kept !== undefined,
    isChanged: draft.isChanged,
    discard() {
      draft.discard();
      form.show({});
    },
  };
}

/** Lines may be empty while they are being typed. */
function withoutBlankLines<Body>(body: Body): Body {
  const isBlank = (part: unknown) => typeof part === "string" && part.trim() === "";
  return JSON.parse(JSON.stringify(body), (_, part) =>
    Array.isArray(part) ? part.filter((one) => !isBlank(one)) : part,
  );
}

/** The order of a list's entries, by id or else by position. Typing in an entry keeps it. Null for other values. */
function orderOf(value: unknown): string | null {
  return Array.isArray(value) ? value.map((entry, at) => entry?.id ?? at).join(" ") : null;
}
